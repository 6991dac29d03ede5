import ArgumentParser
import EyotLab

struct ActivityUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Show another state on the cards of an activity.")

    @OptionGroup var declaration: DeclarationOptions

    @Option(help: "Only on the cards of these, as an audience in JSON.", transform: JSONArgument.init(parsing:))
    var scope: JSONArgument?

    @Option(help: "When the server ends it by itself; never lifts an end that was planned.")
    var endsAt: String?

    func run() async throws {
        try await declaration.declare(
            "POST", APIClient.path("v1", "activities", declaration.name, "update"),
            [("scope", scope?.value), ("endsAt", endsAt.map { .string($0) })])
    }
}
