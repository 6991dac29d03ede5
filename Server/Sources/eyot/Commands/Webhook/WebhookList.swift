import ArgumentParser

struct WebhookList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the app's webhooks.")

    @OptionGroup var server: ServerOptions

    func run() async throws {
        Output.list(
            try await server.call("GET", "/v1/webhooks"), of: "webhooks",
            columns: ["id", "name", "url", "types", "state", "disabledBecause", "pending", "deadLetters"],
            asJSON: server.json)
    }
}
