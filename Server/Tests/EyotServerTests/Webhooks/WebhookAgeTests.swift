import EyotMetrics
import Logging
import Testing

@testable import EyotServer

/// The metric of what waits for webhooks.
@Suite("Webhooks: age of what waits", .timeLimit(.minutes(10)))
struct WebhookAgeTests {
    @Test func `The oldest waiting event has an age until it is delivered`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run(Receiver.always(.status(500))) { receiver in
                let meters = Meters()
                let service = WebhookAgeService(
                    meters: meters, store: rig.store, clock: rig.clock, logger: Logger(label: "test"))
                func age() async throws -> String? {
                    try await service.look()
                    let head = "eyot_webhook_oldest_seconds{endpoint=\"1\"} "
                    let line = meters.text(at: rig.clock.now).split(separator: "\n").first { $0.hasPrefix(head) }
                    return line.map { String($0.dropFirst(head.count)) }
                }
                _ = try await rig.webhook(to: receiver.url)
                #expect(try await age() == "0")
                try await rig.event(1)
                await rig.worker().runOnce()
                rig.clock.advance(60)
                try await rig.event(1)
                await rig.worker().runOnce()
                #expect(try await age() == "60")
                receiver.react(Receiver.always(.status(204)))
                rig.clock.advance(3_600)
                for _ in 0..<3 { await rig.worker().runOnce() }
                #expect(try await age() == "0")
            }
        }
    }
}
