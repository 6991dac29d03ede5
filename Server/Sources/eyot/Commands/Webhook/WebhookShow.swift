import ArgumentParser

struct WebhookShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a webhook, and how much waits for it.")

    @OptionGroup var webhook: WebhookOptions

    func run() async throws { try await webhook.call("GET") }
}
