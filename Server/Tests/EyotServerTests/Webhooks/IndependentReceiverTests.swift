import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Foundation
import Testing

@testable import EyotServer

/// Messages as the package `standardwebhooks` on PyPI verifies them.
@Suite("Webhooks: an independent receiver", .timeLimit(.minutes(10)))
struct IndependentReceiverTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    /// Where `scripts/setup` puts the packages of `scripts/requirements.txt`.
    private static let packages = here.appendingPathComponent("../../../.build/python").standardizedFileURL
    private static var isThere: Bool {
        FileManager.default.fileExists(atPath: packages.appendingPathComponent("standardwebhooks").path)
    }

    /// What the package said of a message that it did not verify.
    private struct Refused: Error {
        var text: String
    }

    private static func verify(_ message: Receiver.Message, with secret: WebhookSecret) async throws -> String {
        let sent = JSONValue.object(
            JSONObject([
                ("headers", .object(JSONObject(message.headers.map { ($0.key, .string($0.value)) }))),
                ("body", .string(String(decoding: message.body, as: UTF8.self))),
            ]))
        let ended = try await Program(
            "python3", ["-B", here.appendingPathComponent("verify.py").path, secret.text.text],
            environment: ["PYTHONPATH": packages.path]
        ).run(input: String(decoding: Data(sent.utf8), as: UTF8.self))
        guard ended.code == 0 else { throw Refused(text: ended.words) }
        return ended.words.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(.enabled(if: isThere, "scripts/setup installs standardwebhooks"))
    func `The package standardwebhooks verifies messages, also while a secret is rotated`() async throws {
        try await WebhookRig.run { rig in
            // The package compares the timestamp with the machine's clock.
            rig.clock.advance(Date().timeIntervalSince1970 - 1_700_000_000)
            try await Receiver.run { receiver in
                let (old, new) = (WebhookSecret.make(.v1), WebhookSecret.make(.v1))
                let hook = try await rig.webhook(to: receiver.url, ["card.*"], old)
                try await rig.event(1, .cardDismissed)
                await rig.worker().runOnce()
                let first = try #require(receiver.messages.first)
                #expect(try await Self.verify(first, with: old) == "card.dismissed")
                let (app, now) = (rig.app, rig.clock.now)
                let sealed = Webhooks.NewSecret(new, sealed: try rig.sealer.seal(new, of: app, token: hook.token))
                _ = try await rig.store.write {
                    try Webhooks(Transaction($0, at: now), app: app).rotate(hook.id, overlap: 3_600) { _ in sealed }
                }
                try await rig.event(1, .cardAppeared)
                await rig.worker().runOnce()
                let second = try #require(receiver.messages.last)
                #expect(receiver.messages.count == 2)
                for secret in [old, new] { #expect(try await Self.verify(second, with: secret) == "card.appeared") }
                await #expect(throws: Refused.self) { try await Self.verify(first, with: new) }
            }
        }
    }
}
