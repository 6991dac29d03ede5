import EyotDomain

/// The mark that gives an activity metrics of its own. It belongs to the name, so later generations have it too.
package struct SetWatch: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Throws: `activityUnknown`, and `tooManyWatched` if the server has no room.
    package func watch(_ name: String, in app: AppID) throws {
        guard try ledger.newestActivity(named: name, in: app) != nil else {
            throw try ledger.unknownActivity(name, in: app)
        }
        let (watched, others) = (WatchedActivity(app: app, name: name), try all())
        guard !others.contains(watched) else { return }
        guard others.count < WatchedActivity.limit else {
            throw EyotError(.tooManyWatched, "the server already watches \(WatchedActivity.limit) activities")
        }
        try ledger.put(watched)
    }

    /// Ends the watch, also of an activity that was removed.
    ///
    /// - Throws: `activityUnknown` if it is not watched.
    package func unwatch(_ name: String, in app: AppID) throws {
        let watched = WatchedActivity(app: app, name: name)
        guard try all().contains(watched) else {
            throw EyotError(.activityUnknown, "activity \(name) is not watched")
        }
        try ledger.remove(watched)
    }

    private func all() throws -> [WatchedActivity] { try ledger.watched(limit: WatchedActivity.limit) }
}
