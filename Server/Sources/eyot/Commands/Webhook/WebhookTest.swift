import ArgumentParser

struct WebhookTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Post a test message now, and show what the receiver answers.")

    @OptionGroup var webhook: WebhookOptions

    func run() async throws { try await webhook.call("POST", "/test") }
}
