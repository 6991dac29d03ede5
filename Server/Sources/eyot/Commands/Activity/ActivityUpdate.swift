import ArgumentParser
import EyotLab

struct ActivityUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Show a new state on the cards of an activity.",
        discussion: """
            eyot activity update final --state '{"homeScore":1,"awayScore":0,"clock":"23"}'
            """)

    @OptionGroup var declaration: DeclarationOptions

    @Option(
        help: "The cards to update, as an audience in JSON. (default: all cards)",
        transform: JSONArgument.init(parsing:))
    var scope: JSONArgument?

    @Option(help: "When the activity ends by itself, at most 30 days ahead. \"never\" cancels a planned end.")
    var endsAt: String?

    func run() async throws {
        try await declaration.declare(
            "POST", APIClient.path("v1", "activities", declaration.name, "update"),
            [("scope", scope?.value), ("endsAt", endsAt.map { .string($0) })])
    }
}
