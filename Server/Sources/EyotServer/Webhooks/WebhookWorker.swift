import EyotCommands
import EyotDomain
import EyotEngine
import EyotHTTP
import EyotVendors
import Logging
import ServiceLifecycle
import Synchronization

/// The service that posts events to webhooks.
///
/// Each webhook has a turn of its own, so a slow receiver delays no other one, and ``WebhookTurns`` shares the turns
/// between apps. A turn queues the events after the
/// webhook's cursor, claims what is due, posts a few side by side, and stores each answer as it comes. A claim is a
/// lease in the store. So another node takes over what this one leaves, and a message is posted again rather than lost
/// (R9).
package struct WebhookWorker: Service {
    /// Seconds between two looks, and if all turns are taken.
    static let (pause, shortPause) = (0.5, 0.05)
    /// The most posts of one turn side by side.
    static let posts = 8
    /// Rounds of posts in one turn, and seconds after which no further one begins. Then other webhooks have theirs.
    private static let (rounds, turnSeconds) = (50, 5.0)
    /// Webhooks that one look reads.
    private static let webhooksAtOnce = 200

    private let store: any Store
    private let sealer: Sealer
    private let poster: any WebhookPoster
    private let clock: any WallClock
    private let logger: Logger
    private let turns = SharedTurns()

    package init(
        store: any Store, sealer: Sealer, poster: any WebhookPoster, clock: any WallClock, logger: Logger
    ) {
        (self.store, self.sealer, self.poster, self.clock, self.logger) = (store, sealer, poster, clock, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var last = WebhookID(rawValue: 0)
                while !Task.isCancelled {
                    let candidates = await next(after: &last).map { WebhookTurns.Candidate(id: $0.id, app: $0.app) }
                    let (begun, isFull) = turns.state.withLock { ($0.begin(among: candidates), $0.isFull) }
                    for webhook in begun {
                        group.addTask {
                            await turn(webhook.id, of: webhook.app)
                            turns.state.withLock { $0.end(webhook.id) }
                        }
                    }
                    try? await clock.pause(seconds: isFull ? Self.shortPause : Self.pause)
                }
            }
        }
    }

    /// Gives each webhook a turn and waits for all of them.
    package func runOnce() async {
        var last = WebhookID(rawValue: 0)
        await withDiscardingTaskGroup { group in
            for webhook in await next(after: &last) {
                group.addTask { await turn(webhook.id, of: webhook.app) }
            }
        }
    }

    /// The webhooks that are looked at next. After the last one it begins again with the first.
    private func next(after last: inout WebhookID) async -> [Webhook] {
        let id = last
        let page = await attempt {
            try await store.read { ledger in
                let found = try ledger.enabledWebhooks(after: id, limit: Self.webhooksAtOnce)
                // Nothing of an app that is being removed is posted.
                let wanted = try found.filter { try ledger.app($0.app)?.removedAt == nil }
                return (wanted, found.count < Self.webhooksAtOnce ? nil : found.last?.id)
            }
        }
        guard let (webhooks, next) = page else { return [] }
        last = next ?? WebhookID(rawValue: 0)
        return webhooks
    }

    /// Posts to one webhook until nothing is due, a receiver fails, or others should have a turn.
    private func turn(_ id: WebhookID, of app: AppID) async {
        let end = clock.uptime + Self.turnSeconds
        for _ in 0..<Self.rounds where !Task.isCancelled && clock.uptime < end {
            guard await attempt({ try await round(id, of: app) }) == true else { return }
        }
    }

    /// - Returns: Whether there may be more to do at once.
    private func round(_ id: WebhookID, of app: AppID) async throws -> Bool {
        let now = clock.now
        let look = try await store.read { ledger -> (portion: QueueEvents.Portion?, isDue: Bool)? in
            guard let webhook = try ledger.webhook(id, of: app), webhook.disabled == nil else { return nil }
            let isDue = try !ledger.dueDeliveries(to: id, at: now, limit: 1).isEmpty
            return (try QueueEvents.next(for: webhook, in: ledger), isDue)
        }
        guard let look, look.isDue || look.portion != nil else { return false }
        // After a failure one post at a time tries whether the receiver is back.
        let limit = turns.state.withLock { $0.isFailing(id) } ? 1 : Self.posts
        let claim = try await store.write { ledger in
            let transaction = Transaction(ledger, at: now)
            if let portion = look.portion { _ = try QueueEvents.add(portion, transaction) }
            return try ClaimDeliveries(transaction)(id, of: app, limit: limit)
        }
        guard let claim else { return false }
        guard !claim.claimed.isEmpty else { return look.portion?.isFull ?? false }
        let body = try WebhookBody(for: claim.webhook, vendors: Vendors.all)
        let bodies = try await store.read { ledger in
            try claim.claimed.map { try body.bytes(about: $0.entry, in: ledger) }
        }
        return await post(Array(zip(claim.claimed, bodies)), to: claim.webhook)
    }

    /// - Returns: Whether the receiver took all of them.
    private func post(
        _ claimed: [(ClaimDeliveries.Claimed, body: [UInt8]?)], to webhook: Webhook
    ) async -> Bool {
        let begin = clock.uptime
        let secrets = try? sealer.secrets(of: webhook, at: clock.now)
        let areTaken = await withTaskGroup(of: Bool.self) { group in
            for (one, body) in claimed {
                group.addTask { await attempt { try await post(one, body, to: webhook, secrets) } ?? false }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        let seconds = areTaken ? clock.uptime - begin : nil
        turns.state.withLock { $0.note(webhook.id, tookAll: seconds) }
        return areTaken
    }

    /// - Parameter body: Nil if there is nothing to post.
    private func post(
        _ one: ClaimDeliveries.Claimed, _ body: [UInt8]?, to webhook: Webhook, _ secrets: [WebhookSecret]?
    ) async throws -> Bool {
        guard let body else {
            try await store.write { try $0.removeDelivery(of: one.delivery.event, to: webhook.id) }
            return true
        }
        var answer = WebhookAnswer.failed(.secretUnreadable)
        if let secrets {
            let message = try WebhookMessage(id: one.id, body: body, secrets: secrets, at: clock.now)
            answer = await poster.post(message, to: webhook.url, of: webhook.app)
        }
        // A post that was broken off says nothing of the receiver. Its lease ends, and it is posted again.
        if Task.isCancelled, case .failed = answer { return false }
        let (result, chance, now) = (answer, Double.random(in: 0..<1), clock.now)
        let outcome = try await store.write { ledger in
            try SettleDelivery(Transaction(ledger, at: now))(one.delivery, of: webhook.app, result, chance: chance)
        }
        switch outcome {
        case .disabled:
            logger.warning(
                "A receiver answered 410, so its webhook is disabled", metadata: ["webhook": "\(webhook.id.rawValue)"])
        case .dead:
            logger.notice(
                "An event could not be delivered and is a dead letter now",
                metadata: ["webhook": "\(webhook.id.rawValue)", "event": "\(one.delivery.event)"])
        case .delivered, .waits, .outdated: break
        }
        return outcome == .delivered
    }

    private func attempt<Result: Sendable>(_ body: () async throws -> Result) async -> Result? {
        await logger.attempt("Webhooks could not be looked after; it is tried again") { try await body() }
    }
}

/// The turns of one worker, for all its tasks.
private final class SharedTurns: Sendable {
    let state = Mutex(WebhookTurns())
}
