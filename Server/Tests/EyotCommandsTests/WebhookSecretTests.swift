import Crypto
import EyotCommands
import EyotDomain
import Foundation
import Testing

@Suite("Webhooks: signatures")
struct WebhookSecretTests {
    /// The example of the Standard Webhooks libraries.
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"

    @Test func `The example of Standard Webhooks gets its signature`() throws {
        let secret = try #require(WebhookSecret(text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = try secret.signature(id: Self.id, timestamp: "1614265330", body: Self.body)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `A key of a pair signs what its public part verifies`() throws {
        let secret = WebhookSecret.make(.v1a)
        let shown = try #require(secret.publicKey)
        #expect(shown.hasPrefix("whpk_") && secret.text.text.hasPrefix("whsk_"))
        let raw = try #require(Data(base64Encoded: String(shown.dropFirst(5))))
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: raw)
        let signature = try secret.signature(id: "msg_1", timestamp: "5", body: Self.body)
        #expect(signature.hasPrefix("v1a,"))
        let bytes = try #require(Data(base64Encoded: String(signature.dropFirst(4))))
        #expect(key.isValidSignature(bytes, for: Data("msg_1.5.".utf8) + Self.body))
        #expect(!key.isValidSignature(bytes, for: Data("msg_1.6.".utf8) + Self.body))
    }

    @Test(arguments: WebhookSecret.Scheme.allCases)
    func `A secret is read as it is shown`(_ scheme: WebhookSecret.Scheme) throws {
        let secret = WebhookSecret.make(scheme)
        let read = try #require(WebhookSecret(text: secret.text.text))
        #expect(read.text == secret.text && read.scheme == scheme && read.publicKey == secret.publicKey)
        #expect(secret.text != WebhookSecret.make(scheme).text)
    }

    @Test func `A shared secret has 24 to 64 bytes`() {
        for (count, isTaken) in [(23, false), (24, true), (64, true), (65, false)] {
            let text = "whsec_" + Data(repeating: 7, count: count).base64EncodedString()
            #expect((WebhookSecret(text: text) != nil) == isTaken, "\(count)")
        }
        for text in ["", "whsec_", "whsec_!", "whsk_AAAA", "whpk_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            #expect(WebhookSecret(text: text) == nil, "\(text)")
        }
    }

    @Test func `In a rotation a message carries the signatures of both secrets, the newest first`() throws {
        let (old, new) = (WebhookSecret.make(.v1), WebhookSecret.make(.v1a))
        let message = try WebhookMessage(
            id: "msg_1", body: Self.body, secrets: [new, old], at: Instant(microseconds: 5_900_000))
        let parts = message.signature.split(separator: " ")
        #expect(parts.count == 2 && parts[0].hasPrefix("v1a,"))
        #expect(try String(parts[1]) == old.signature(id: "msg_1", timestamp: "5", body: Self.body))
        #expect(message.headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(message.timestamp == "5")
    }
}
