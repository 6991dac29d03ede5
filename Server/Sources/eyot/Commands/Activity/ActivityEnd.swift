import ArgumentParser
import EyotLab

struct ActivityEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End an activity.",
        discussion: """
            eyot activity end final --state '{"homeScore":3,"awayScore":3,"clock":"120"}'
            """)

    @OptionGroup var declaration: DeclarationOptions

    @Option(
        help: "The cards to end, as an audience in JSON. (default: all cards)", transform: JSONArgument.init(parsing:))
    var scope: JSONArgument?

    @Option(help: "When the ended cards leave the Lock Screen. A time in the past removes them at once.")
    var dismissalDate: String?

    func run() async throws {
        try await declaration.declare(
            "POST", APIClient.path("v1", "activities", declaration.name, "end"),
            [("scope", scope?.value), ("dismissalDate", dismissalDate.map { .string($0) })])
    }
}
