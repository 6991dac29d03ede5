import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import HTTPConnections
import Logging
import NIOCore
import Synchronization
import Testing
import WebhookSender

@testable import EyotServer

/// A clock that stands until it is moved.
final class StandingClock: WallClock {
    private let moment = Mutex(Instant(second: 1_700_000_000))

    var now: Instant { moment.withLock { $0 } }

    func nap(until moment: Instant, atMost seconds: Double) async throws {
        while now < moment {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    func advance(_ seconds: Double) { moment.withLock { $0 = $0 + seconds } }
}

/// An app with webhooks, and what posts to them.
struct WebhookRig {
    let store = MemoryStore()
    let clock = StandingClock()
    let sealer = Sealer(MasterKey.make())
    /// The app of webhooks and events.
    private(set) var app: AppID
    /// Closed by ``run(limit:_:)``.
    let client: WebhookClient

    static let loopback = AddressPolicy(allowed: AddressRange("127.0.0.0/8").map { [$0] } ?? [])

    /// - Parameter limit: The time that receivers have.
    static func run(
        limit: TimeAmount = .seconds(60), _ body: (WebhookRig) async throws -> Void
    ) async throws {
        let client = WebhookClient(loopback, limit: limit)
        let rig = try await WebhookRig(client)
        do {
            try await body(rig)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private init(_ client: WebhookClient) async throws {
        self.client = client
        let now = clock.now
        app = try await store.write {
            try $0.insertApp(bundleID: "a.b", name: "n", publicKey: "k", at: now).id
        }
    }

    /// The same for another app.
    func another(_ name: String) async throws -> WebhookRig {
        var other = self
        let now = clock.now
        other.app = try await store.write {
            try $0.insertApp(bundleID: "a.\(name)", name: name, publicKey: name, at: now).id
        }
        return other
    }

    /// Makes another sender on the same store.
    func worker(_ poster: (any WebhookPoster)? = nil) -> WebhookWorker {
        WebhookWorker(
            store: store, sealer: sealer, poster: poster ?? client, clock: clock, logger: Logger(label: "test"))
    }

    func webhook(
        to url: String, _ types: [String]? = ["activity.*", "card.*"], _ secret: WebhookSecret = .make(.v1),
        as form: Webhooks.Form? = nil
    ) async throws -> Webhook {
        let (url, token, app, now) = (try WebhookURL(url), Keyring.random(6), app, clock.now)
        let new = Webhooks.NewSecret(secret, sealed: try sealer.seal(secret, of: app, token: token))
        return try await store.write { ledger in
            try Webhooks(Transaction(ledger, at: now), app: app).create(
                .init(name: nil, url: url, types: types), to: url, as: form, token: token, secret: new)
        }
    }

    /// Records an event about an activity.
    @discardableResult
    func event(_ activity: Int64?, _ kind: EventKind = .cardAppeared) async throws -> Int64 {
        let (app, now) = (app, clock.now)
        return try await store.write { ledger in
            var event = Event(app: app, at: now, Fact(kind, version: 3))
            event.activity = activity.map(ActivityID.init(rawValue:))
            try ledger.record(event)
            return try ledger.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0
        }
    }

    func deliveries(to webhook: Webhook, isDead: Bool? = nil) async throws -> [WebhookDelivery] {
        try await store.read { try $0.deliveries(to: webhook.id, isDead: isDead, after: 0, limit: 5_000) }
    }

    func stored(_ webhook: Webhook) async throws -> Webhook {
        let app = app
        return try #require(await store.read { try $0.webhook(webhook.id, of: app) })
    }
}
