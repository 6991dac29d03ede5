import ArgumentParser

struct WebhookEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Resume deliveries to a webhook, with the events that it missed.")

    @OptionGroup var webhook: WebhookOptions

    func run() async throws { try await webhook.call("POST", "/enable") }
}
