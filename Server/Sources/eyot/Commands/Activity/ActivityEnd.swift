import ArgumentParser
import EyotLab

struct ActivityEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "end", abstract: "End an activity.")

    @OptionGroup var declaration: DeclarationOptions

    @Option(help: "Only on the cards of these, as an audience in JSON.", transform: JSONArgument.init(parsing:))
    var scope: JSONArgument?

    @Option(help: "When the ended cards go from the Lock Screen; a moment in the past means at once.")
    var dismissalDate: String?

    func run() async throws {
        try await declaration.declare(
            "POST", APIClient.path("v1", "activities", declaration.name, "end"),
            [("scope", scope?.value), ("dismissalDate", dismissalDate.map { .string($0) })])
    }
}
