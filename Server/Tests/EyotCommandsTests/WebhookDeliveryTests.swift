import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotTestKit

@Suite("Webhooks: from events to deliveries")
struct WebhookDeliveryTests {
    private static let now = Instant(second: 1_000)

    private let ledger = MemoryLedger()
    private let app: AppID
    private let masterKey = MasterKey.make()
    private let sealer: Sealer

    init() {
        sealer = Sealer(masterKey)
        app = ledger.insertApp(bundleID: "a.b", name: "n", publicKey: "k", at: Self.now).id
    }

    private var transaction: Transaction { Transaction(ledger, at: Self.now) }

    private func webhook(_ types: [String] = ["card.*"]) throws -> Webhook {
        let secret = WebhookSecret.make(.v1)
        return try Webhooks(transaction, app: app).create(
            .init(name: nil, url: nil, types: types), to: try WebhookURL("https://example.org/"), token: "t",
            secret: .init(secret, sealed: try sealer.seal(secret, of: app, token: "t")))
    }

    private func record(_ count: Int, _ kind: EventKind = .cardAppeared, activity: Int64? = nil) {
        for _ in 0..<count {
            ledger.record(
                Event(app: app, at: Self.now, Fact(kind), activity: activity.map(ActivityID.init(rawValue:))))
        }
    }

    /// Queues until nothing is left or there is no room.
    private func queue(_ hook: Webhook) throws {
        while let current = ledger.webhook(hook.id, of: app),
            let portion = try QueueEvents.next(for: current, in: ledger)
        {
            #expect(try QueueEvents.add(portion, transaction))
        }
    }

    private func cursor(_ hook: Webhook) -> Int64? { ledger.webhook(hook.id, of: app)?.cursor }

    @Test func `A new webhook gets what happens from now on, of the kinds that it wants`() throws {
        record(3)
        let hook = try webhook()
        record(2)
        record(1, .appHalted)
        try queue(hook)
        #expect(ledger.webhookDeliveries.map(\.event) == [4, 5] && cursor(hook) == 6)
    }

    @Test func `The table is never fuller than its limit, and the cursor waits at the event that has no room`() throws {
        let hook = try webhook()
        record(Webhook.pendingLimit + 300)
        try queue(hook)
        #expect(ledger.webhookDeliveries.count == Webhook.pendingLimit)
        #expect(cursor(hook) == Int64(Webhook.pendingLimit))
        ledger.removeDelivery(of: 5, to: hook.id)
        try queue(hook)
        #expect(cursor(hook) == Int64(Webhook.pendingLimit + 1))
    }

    @Test func `A portion that another sender has queued is not queued again`() throws {
        let hook = try webhook()
        record(2)
        let portion = try #require(try QueueEvents.next(for: hook, in: ledger))
        #expect(try QueueEvents.add(portion, transaction))
        for event in 1...2 as ClosedRange<Int64> { ledger.removeDelivery(of: event, to: hook.id) }
        #expect(try !QueueEvents.add(portion, transaction))
        #expect(ledger.webhookDeliveries.isEmpty)
    }

    @Test func `The data of a message is the line of the stream of events, and the body is small`() throws {
        let hook = try webhook()
        let name = String(repeating: "\u{1}", count: DeviceLimits.identifierBytes)
        let activity = ledger.insertActivity(named: name, in: app, generation: 1, type: nil, at: Self.now)
        record(1, activity: activity.id.rawValue)
        try queue(hook)
        let claim = try #require(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 9))
        let one = try #require(claim.claimed.first)
        let event = try #require(ledger.events(of: app, about: .app, after: 0, limit: 1).first)
        let view = try #require(try one.entry.views(of: app, withDetails: false, in: ledger).first)
        let body = WebhookMessage.body(of: view)
        let json = try #require(try JSONValue(parsing: body).object)
        #expect(json["data"]?.object?["activity"] == .string(name) && json["data"]?.object?["id"] == "1")
        #expect(json["type"]?.string == event.fact.kind.rawValue && json["timestamp"]?.string == event.at.rfc3339)
        #expect(json.members.map(\.name) == ["type", "timestamp", "data"])
        #expect(body.count < WebhookMessage.bodyBytes / 2 && one.id == "msg_t_1")
    }

    @Test func `What is claimed is not claimed again before its lease ends`() throws {
        let hook = try webhook()
        record(3)
        try queue(hook)
        #expect(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 2)?.claimed.count == 2)
        #expect(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 2)?.claimed.count == 1)
        #expect(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 2)?.claimed.isEmpty == true)
        let later = Transaction(ledger, at: Self.now + WebhookDelivery.lease)
        #expect(try ClaimDeliveries(later)(hook.id, of: app, limit: 9)?.claimed.count == 3)
    }

    @Test func `A result of an older claim does not count, unless the message arrived`() throws {
        let hook = try webhook()
        record(1)
        try queue(hook)
        let first = try #require(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 1)?.claimed.first)
        let later = Transaction(ledger, at: Self.now + WebhookDelivery.lease)
        _ = try ClaimDeliveries(later)(hook.id, of: app, limit: 1)
        let settle = SettleDelivery(later)
        #expect(try settle(first.delivery, of: app, .status(500), chance: 0) == .outdated)
        #expect(ledger.webhookDeliveries.first?.attempts == 0)
        #expect(try settle(first.delivery, of: app, .status(200), chance: 0) == .delivered)
        #expect(ledger.webhookDeliveries.isEmpty)
        #expect(try settle(first.delivery, of: app, .status(500), chance: 0) == .outdated)
    }

    @Test func `A message that arrives after a failure makes the others due at once`() throws {
        let hook = try webhook()
        record(2)
        try queue(hook)
        let claimed = try #require(try ClaimDeliveries(transaction)(hook.id, of: app, limit: 9)?.claimed)
        for one in claimed { _ = try SettleDelivery(transaction)(one.delivery, of: app, .status(500), chance: 0) }
        let later = Transaction(ledger, at: Self.now + 5)
        let again = try #require(try ClaimDeliveries(later)(hook.id, of: app, limit: 1)?.claimed.first)
        #expect(try SettleDelivery(later)(again.delivery, of: app, .status(200), chance: 0) == .delivered)
        #expect(ledger.webhookDeliveries.map(\.dueAt) == [Self.now + 5])
    }

    @Test func `Dead letters are limited, and the oldest leave`() throws {
        let hook = try webhook()
        for event in 1...Int64(Webhook.deadLetterLimit) {
            var dead = WebhookDelivery(webhook: hook.id, event: event, activity: nil, dueAt: Self.now)
            dead.deadAt = Self.now
            ledger.put(dead)
        }
        var last = WebhookDelivery(
            webhook: hook.id, event: Int64(Webhook.deadLetterLimit + 1), activity: nil, dueAt: Self.now)
        last.attempts = WebhookSchedule.attempts - 1
        ledger.put(last)
        #expect(try SettleDelivery(transaction)(last, of: app, .failed(.timedOut), chance: 0) == .dead)
        let counts = ledger.deliveryCounts(of: hook.id)
        #expect(counts.pending == 0 && counts.dead == Webhook.deadLetterLimit)
        #expect(ledger.delivery(of: 1, to: hook.id) == nil)
    }

    // MARK: Master keys

    @Test func `A rotation of the master key seals both secrets of a webhook again`() throws {
        let hook = try webhook()
        let second = WebhookSecret.make(.v1)
        let sealed = Webhooks.NewSecret(second, sealed: try sealer.seal(second, of: app, token: "t"))
        _ = try Webhooks(transaction, app: app).rotate(hook.id, overlap: 60) { _ in sealed }
        #expect(try !SealedKeys.isEmpty(in: ledger))
        let new = MasterKey.make()
        #expect(throws: SealError.self) { try SealedKeys(ledger: ledger, sealer: Sealer(new)).check() }
        let rotation = SealedKeys(ledger: ledger, sealer: Sealer(new, older: [masterKey]))
        #expect(try rotation.reseal() == 2)
        #expect(try rotation.reseal() == 0)
        try SealedKeys(ledger: ledger, sealer: Sealer(new)).check()
        let stored = try #require(ledger.webhook(hook.id, of: app))
        #expect(try Sealer(new).secrets(of: stored, at: Self.now).first?.text == second.text)
        #expect(try Sealer(new).secrets(of: stored, at: Self.now).count == 2)
        #expect(try Sealer(new).secrets(of: stored, at: Self.now + 60).count == 1)
    }

    @Test func `If the master key is lost, a webhook is disabled until its secret is rotated`() throws {
        let hook = try webhook()
        let lost = SealedKeys(ledger: ledger, sealer: Sealer(MasterKey.make()))
        _ = try lost.dropUnreadable(at: Self.now)
        try lost.check()
        #expect(ledger.webhook(hook.id, of: app)?.disabled == .init(.secretLost, at: Self.now))
        #expect(throws: EyotError.self) { try Webhooks(transaction, app: app).enable(hook.id) }
        let secret = WebhookSecret.make(.v1)
        let sealed = Webhooks.NewSecret(secret, sealed: try sealer.seal(secret, of: app, token: "t"))
        let (rotated, _) = try Webhooks(transaction, app: app).rotate(hook.id, overlap: 60) { _ in sealed }
        #expect(rotated.disabled == nil && rotated.former == nil)
    }
}
