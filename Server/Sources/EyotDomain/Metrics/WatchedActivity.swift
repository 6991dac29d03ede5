/// The name of an activity with metrics of its own.
package struct WatchedActivity: Sendable, Hashable {
    /// The most of them on a server, because each has series for good.
    package static let limit = 20

    package var app: AppID
    package var name: String

    package init(app: AppID, name: String) {
        self.app = app
        self.name = name
    }
}

/// The names of activities with metrics of their own.
package protocol WatchLedger: AnyObject {
    /// All of them, in the order of apps and names, up to a limit.
    func watched(limit: Int) throws -> [WatchedActivity]
    func put(_ watched: WatchedActivity) throws
    func remove(_ watched: WatchedActivity) throws
}

/// What metrics say of one activity.
package struct WatchedNumbers: Sendable {
    package var watched: WatchedActivity
    package var activity: ActivityID
    package var tally: Tally
    /// Cards by phase.
    package var phases: [String: Int]
    /// What phones have reported of the cards.
    package var shown: ShownNumbers

    package init(_ watched: WatchedActivity, _ activity: Activity, phases: [String: Int], shown: ShownNumbers) {
        self.watched = watched
        self.activity = activity.id
        self.phases = phases
        tally = activity.tally
        self.shown = shown
    }
}

extension Ledger {
    /// Reads the numbers of all watched activities. Each takes a few indexed reads.
    package func watchedNumbers(at now: Instant) throws -> [WatchedNumbers] {
        try watched(limit: WatchedActivity.limit).compactMap { watched in
            guard let activity = try newestActivity(named: watched.name, in: watched.app) else { return nil }
            return try WatchedNumbers(
                watched, activity, phases: counts(of: .phase, of: activity.id, in: watched.app),
                shown: shown(of: activity, at: now))
        }
    }
}
