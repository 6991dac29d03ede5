import ArgumentParser
import EyotLab

struct WebhookDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove a webhook, with what waits for it.")

    @OptionGroup var webhook: WebhookOptions

    func run() async throws {
        _ = try await webhook.server.call("DELETE", APIClient.path("v1", "webhooks", webhook.id))
        Output.value(["id": .string(webhook.id), "state": "removed"], asJSON: webhook.server.json)
    }
}
