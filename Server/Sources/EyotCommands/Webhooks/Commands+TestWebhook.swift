import EyotContract
import EyotDomain

/// The type of the message that a test sends.
package enum WebhookTest {
    package static let type = "webhook.test"

    /// What became of a test.
    package struct Result: Sendable, Hashable {
        package var answer: WebhookAnswer
        package var milliseconds: Int
    }
}

extension Commands {
    /// Posts a test message to a webhook and waits for the answer. It is not stored and not repeated, and a disabled
    /// webhook gets it as well.
    ///
    /// - Throws: `webhookUnknown`.
    package func test(
        _ id: WebhookID, of app: AppID, sealer: Sealer, poster: any WebhookPoster
    ) async throws -> WebhookTest.Result {
        let webhook = try await store.read { try Webhooks.known(id, of: app, in: $0) }
        let now = clock.now
        let data = JSONObject([
            ("at", .string(now.rfc3339)), ("type", .string(WebhookTest.type)),
            ("text", .string("This message tests the webhook. Nothing happened.")),
        ])
        guard let secrets = try? sealer.secrets(of: webhook, at: now) else {
            return WebhookTest.Result(answer: .failed(.secretUnreadable), milliseconds: 0)
        }
        let message = try WebhookMessage(
            id: "msg_\(webhook.token)_test_\(now.microseconds)",
            body: WebhookMessage.body(WebhookTest.type, at: now, .object(data)), secrets: secrets, at: now)
        let begin = clock.uptime
        let answer = await poster.post(message, to: webhook.url, of: app)
        return WebhookTest.Result(answer: answer, milliseconds: Int((clock.uptime - begin) * 1_000))
    }
}
