import ArgumentParser
import EyotLab

struct ActivityStart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start an activity on the phones of an audience.",
        discussion: "Apple wants an alert with title and text for every start.")

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

    @Flag(help: "Start it again where a person has dismissed it.")
    var restartDismissed = false

    @Flag(help: "Reach cards on iOS 18 and later by a broadcast channel.")
    var channel = false

    func run() async throws {
        try await declaration.declare(
            "POST", APIClient.path("v1", "activities", declaration.name, "start"),
            [
                ("type", type.map { .string($0) }), ("attributes", attributes?.value), ("audience", audience.value),
                ("startsAt", startsAt.map { .string($0) }), ("endsAt", endsAt.map { .string($0) }),
                ("restartDismissed", restartDismissed ? true : nil), ("channel", channel ? true : nil),
            ])
    }
}
