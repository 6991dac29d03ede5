import ArgumentParser
import EyotLab

struct ActivityPut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Declare how an activity should be: starts it, updates it, or does nothing.")

    @OptionGroup var declaration: DeclarationOptions
    @OptionGroup var audience: AudienceOptions

    @Option(help: "The name of the ActivityAttributes type.")
    var type: String?

    @Option(help: "The fixed data of the cards, as JSON; @file reads a file.", transform: JSONArgument.init(parsing:))
    var attributes: JSONArgument?

    @Option(help: "When the server starts the cards; left out, now. For whom is settled now.")
    var startsAt: String?

    @Option(help: "When the server ends it by itself; never lifts an end that was planned.")
    var endsAt: String?

    @Flag(help: "Reach cards on iOS 18 and later by a broadcast channel.")
    var channel = false

    func run() async throws {
        try await declaration.declare(
            "PUT", APIClient.path("v1", "activities", declaration.name),
            [
                ("type", type.map { .string($0) }), ("attributes", attributes?.value), ("audience", audience.value),
                ("startsAt", startsAt.map { .string($0) }), ("endsAt", endsAt.map { .string($0) }),
                ("channel", channel ? true : nil),
            ])
    }
}
