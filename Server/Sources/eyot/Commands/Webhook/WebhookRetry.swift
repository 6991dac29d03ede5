import ArgumentParser
import EyotLab

struct WebhookRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try a delivery at once, also one that was given up.")

    @OptionGroup var webhook: WebhookOptions

    @Argument(help: "The id of the event, as `eyot webhook deliveries` shows it.")
    var event: String

    func run() async throws { try await webhook.call("POST", APIClient.path("deliveries", event) + "/retry") }
}
