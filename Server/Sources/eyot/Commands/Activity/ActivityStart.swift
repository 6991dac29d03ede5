import ArgumentParser
import EyotLab

struct ActivityStart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start an activity on the devices of an audience.",
        discussion: """
            A start needs a type, a state, and an alert with a title and a text. In the example start.json has the \
            members attributes, contentState and alert.

            eyot activity start final --tag fans --type MatchAttributes --body @start.json
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

    @Flag(help: "Also start the card on devices on which it was dismissed.")
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
