import ArgumentParser
import EyotLab

struct UserCards: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cards", abstract: "List the cards on a user's phones, newest first.",
        discussion: "eyot user cards user-1")

    @Argument(help: "The user's id in your own system.")
    var id: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", APIClient.path("v1", "users", id, "cards")), of: "cards",
            columns: ["activity"]
                + ["device", "phase", "reason", "desired", "accepted", "isBehind"].map { "card.\($0)" }
                + ["shown=card.shown.version"],
            asJSON: server.json)
    }
}
