import EyotDomain

/// Makes due what a clock that was ahead has noted for moments that have not come since it was set back. Activities and
/// channels that are not due yet rest again after one look. Runs in several transactions.
package struct RecallDue: UseCase {
    /// Rows that one transaction changes.
    package static let batch = 100

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Recalls one batch in one transaction.
    ///
    /// - Returns: Whether there may be more.
    package func callAsFunction(after setBack: ClockSetBack) throws -> Bool {
        var left = Self.batch
        for app in try ledger.apps() where left > 0 {
            left -= try recallActivities(of: app.id, upTo: setBack.reach, limit: left)
            for errand in Channel.Errand.allCases where left > 0 {
                left -= try recallChannels(for: errand, of: app.id, upTo: setBack.reach, limit: left)
            }
        }
        return left <= 0
    }

    private func recallActivities(of app: AppID, upTo reach: Instant, limit: Int) throws -> Int {
        let ids = try ledger.activitiesDue(of: app, after: now, upTo: reach, limit: limit)
        for id in ids {
            guard var activity = try ledger.activity(id) else { continue }
            activity.wake(at: now)
            try ledger.update(activity)
            try ledger.wakeRingPages(of: id, at: reach)
            ledger.woken.insert(id)
        }
        return ids.count
    }

    private func recallChannels(
        for errand: Channel.Errand, of app: AppID, upTo reach: Instant, limit: Int
    ) throws -> Int {
        let channels = try ledger.channelsDue(for: errand, of: app, after: now, upTo: reach, limit: limit)
        for var channel in channels {
            channel.wake(at: now)
            try ledger.update(channel)
        }
        return channels.count
    }
}
