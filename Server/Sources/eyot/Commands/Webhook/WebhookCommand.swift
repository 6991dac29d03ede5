import ArgumentParser

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Post events to a URL of yours, signed as Standard Webhooks.",
        subcommands: [
            WebhookCreate.self, WebhookList.self, WebhookShow.self, WebhookChange.self, WebhookDelete.self,
            WebhookRotate.self, WebhookTest.self, WebhookReplay.self, WebhookDeliveries.self, WebhookRetry.self,
            WebhookEnable.self, WebhookDisable.self,
        ])
}
