import ArgumentParser
import EyotLab

struct ActivityPut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Declare an activity's state, which starts cards or updates them as needed.",
        discussion: """
            The first call needs a type and an audience, and an alert for the cards that it starts. The example works \
            for an activity that is running.

            eyot activity put final --state '{"homeScore":2,"awayScore":0,"clock":"36"}'
            """)

    @OptionGroup var declaration: DeclarationOptions
    @OptionGroup var audience: AudienceOptions

    @Option(help: "The name of the ActivityAttributes type.")
    var type: String?

    @Option(
        help: "The fixed attributes of the cards, as JSON. @file reads a file, - reads standard input.",
        transform: JSONArgument.init(parsing:))
    var attributes: JSONArgument?

    @Option(
        help: """
            When the cards start, at most 30 days ahead. The audience is frozen when the call is accepted. (default: \
            now)
            """)
    var startsAt: String?

    @Option(help: "When the activity ends by itself, at most 30 days ahead. \"never\" cancels a planned end.")
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
