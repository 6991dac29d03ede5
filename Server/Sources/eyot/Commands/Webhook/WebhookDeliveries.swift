import ArgumentParser
import EyotLab

struct WebhookDeliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "List what waits for a webhook, and what was given up.")

    @OptionGroup var webhook: WebhookOptions

    @Option(help: "pending or dead: only these. (default: both)")
    var state: String?

    @OptionGroup var page: PageOptions

    func run() async throws {
        let path = page.path(APIClient.path("v1", "webhooks", webhook.id) + "/deliveries", [("state", state)])
        Output.list(
            try await webhook.server.call("GET", path), of: "deliveries",
            columns: ["event", "state", "attempts", "nextTryAt", "status", "error", "text"],
            asJSON: webhook.server.json)
    }
}
