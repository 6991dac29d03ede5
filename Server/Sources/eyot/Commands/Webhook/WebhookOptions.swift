import ArgumentParser
import EyotContract
import EyotLab

/// The webhook that a command is about.
struct WebhookOptions: ParsableArguments {
    @Argument(help: "The webhook's id, as `eyot webhook list` shows it.")
    var id: String

    @OptionGroup var server: ServerOptions

    /// Calls a route of the webhook and prints what it answers.
    func call(_ method: String, _ route: String = "", body: JSONValue? = nil) async throws {
        Output.value(
            try await server.call(method, APIClient.path("v1", "webhooks", id) + route, body: body),
            asJSON: server.json)
    }
}
