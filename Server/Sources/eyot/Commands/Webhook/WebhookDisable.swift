import ArgumentParser

struct WebhookDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Stop deliveries to a webhook until it is enabled.")

    @OptionGroup var webhook: WebhookOptions

    func run() async throws { try await webhook.call("POST", "/disable") }
}
