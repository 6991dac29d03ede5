import EyotDomain

/// The events that are delivered to a webhook again.
package struct ReplayRange: Sendable, Hashable {
    /// Only events above this id.
    package var after: Int64?
    /// Only events below this id.
    package var before: Int64?
    /// Only events from this moment on.
    package var since: Instant?
    /// Only events before this moment.
    package var until: Instant?

    package init() {}
}

/// The result of a replay.
package struct Replay: Sendable, Hashable {
    /// How many events were queued. Events that wait already do not count.
    package var queued = 0
    /// The event after which another call goes on; nil if the range is over.
    package var next: Int64?
}

extension Commands {
    /// The most events that one call looks at.
    private static let eventsOfReplay = 50_000

    /// Queues the events of a range that a webhook wants, up to its cursor. Later events come by themselves.
    ///
    /// It stops when the webhook has as many pending deliveries as it may have.
    ///
    /// - Throws: `webhookUnknown`.
    package func replay(_ range: ReplayRange, to id: WebhookID, of app: AppID) async throws -> Replay {
        let (webhook, first) = try await store.read { ledger in
            let webhook = try Webhooks.known(id, of: app, in: ledger)
            return (webhook, try range.first(of: webhook, in: ledger))
        }
        var (replay, cursor, looked) = (Replay(), first, 0)
        while looked < Self.eventsOfReplay {
            let (portion, isOver) = try await store.read { [cursor] ledger in
                let room = try Webhook.pendingLimit - ledger.deliveryCounts(of: id).pending
                let portion = try QueueEvents.Portion(for: webhook, after: cursor, room: room, in: ledger)
                return (portion, try range.isOver(after: cursor, of: webhook, in: ledger))
            }
            guard let portion, !isOver else {
                // Nothing is left, or there is no room.
                replay.next = isOver ? nil : cursor
                return replay
            }
            replay.queued += try await store.write { ledger in
                let transaction = Transaction(ledger, at: clock.now)
                return try portion.wanted.filter { range.contains($0, of: webhook) }
                    .count { try QueueEvents.put($0, for: webhook, transaction) }
            }
            (cursor, looked) = (portion.last, looked + QueueEvents.eventsAtOnce)
            if range.isBehind(portion.last, of: webhook) || !portion.isFull { return replay }
        }
        replay.next = cursor
        return replay
    }
}

extension ReplayRange {
    /// The id below which all events of the range have theirs.
    private func end(of webhook: Webhook) -> Int64 { min(before ?? .max, webhook.cursor + 1) }

    fileprivate func contains(_ entry: RecordEntry, of webhook: Webhook) -> Bool {
        entry.id < end(of: webhook) && since.map { entry.at >= $0 } ?? true && until.map { entry.at < $0 } ?? true
    }

    fileprivate func isBehind(_ id: Int64, of webhook: Webhook) -> Bool { id + 1 >= end(of: webhook) }

    fileprivate func isOver(after id: Int64, of webhook: Webhook, in ledger: any Ledger) throws -> Bool {
        let next = try ledger.events(of: webhook.app, about: .app, after: id, limit: 1).first
        return next.map { isBehind($0.id - 1, of: webhook) } ?? true
    }

    /// The id after which the range begins. Ids rise with time, so the place of a moment is found by halving.
    fileprivate func first(of webhook: Webhook, in ledger: any Ledger) throws -> Int64 {
        guard let since else { return after ?? 0 }
        var (low, high) = (after ?? 0, webhook.cursor)
        while low < high {
            let middle = low + (high - low) / 2
            let next = try ledger.events(of: webhook.app, about: .app, after: middle, limit: 1).first
            if let next, next.at < since { low = next.id } else { high = middle }
        }
        return low
    }
}
