import EyotCommands
import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle
import Synchronization

/// The service that posts events to webhooks.
///
/// Each webhook has a turn of its own, so a slow receiver delays no other one. A turn queues the events after the
/// webhook's cursor, claims what is due, posts a few side by side, and stores each answer as it comes. A claim is a
/// lease in the store. So another node takes over what this one leaves, and a message is posted again rather than lost
/// (R9).
package struct WebhookWorker: Service {
    /// Seconds between two looks.
    static let pause = 0.5
    /// The most turns at a time, and the most posts of one turn side by side.
    static let turns = 32
    static let posts = 8
    /// Rounds of posts in one turn. Then other webhooks have theirs.
    private static let rounds = 50
    /// Webhooks that one look reads.
    private static let webhooksAtOnce = 200

    private let store: any Store
    private let sealer: Sealer
    private let poster: any WebhookPoster
    private let clock: any WallClock
    private let logger: Logger
    private let running = RunningTurns(limit: WebhookWorker.turns)

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
                    for webhook in await next(after: &last) where running.begin(webhook.id) {
                        group.addTask {
                            await turn(webhook.id, of: webhook.app)
                            running.end(webhook.id)
                        }
                    }
                    try? await clock.pause(seconds: Self.pause)
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
        for _ in 0..<Self.rounds where !Task.isCancelled {
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
        let limit = running.isFailing(id) ? 1 : Self.posts
        let claim = try await store.write { ledger in
            let transaction = Transaction(ledger, at: now)
            if let portion = look.portion { _ = try QueueEvents.add(portion, transaction) }
            return try ClaimDeliveries(transaction)(id, of: app, limit: limit)
        }
        guard let claim else { return false }
        guard !claim.claimed.isEmpty else { return look.portion?.isFull ?? false }
        return await post(claim.claimed, to: claim.webhook)
    }

    /// - Returns: Whether the receiver took all of them.
    private func post(_ claimed: [ClaimDeliveries.Claimed], to webhook: Webhook) async -> Bool {
        let secrets = try? sealer.secrets(of: webhook, at: clock.now)
        let areTaken = await withTaskGroup(of: Bool.self) { group in
            for one in claimed {
                group.addTask { await attempt { try await post(one, to: webhook, secrets) } ?? false }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        running.note(webhook.id, isFailing: !areTaken)
        return areTaken
    }

    private func post(
        _ one: ClaimDeliveries.Claimed, to webhook: Webhook, _ secrets: [WebhookSecret]?
    ) async throws -> Bool {
        var answer = WebhookAnswer.failed(.secretUnreadable)
        if let secrets {
            let message = try WebhookMessage(id: one.id, body: one.body, secrets: secrets, at: clock.now)
            answer = await poster.post(message, to: webhook.url)
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

/// The webhooks that have a turn, and those with a receiver that failed last.
private final class RunningTurns: Sendable {
    private let limit: Int
    private let state = Mutex((running: Set<WebhookID>(), failing: Set<WebhookID>()))

    init(limit: Int) { self.limit = limit }

    /// - Returns: False if the webhook has a turn, or too many others have one.
    func begin(_ id: WebhookID) -> Bool {
        state.withLock { $0.running.count < limit && $0.running.insert(id).inserted }
    }

    func end(_ id: WebhookID) { state.withLock { _ = $0.running.remove(id) } }

    func isFailing(_ id: WebhookID) -> Bool { state.withLock { $0.failing.contains(id) } }

    func note(_ id: WebhookID, isFailing: Bool) {
        state.withLock { state in
            if isFailing { state.failing.insert(id) } else { state.failing.remove(id) }
        }
    }
}
