/// An activity with replicas that may be due.
package struct DueActivity: Sendable, Hashable {
    package var id: ActivityID
    package var app: AppID
    /// The moment from which it is due.
    package var since: Instant

    package init(id: ActivityID, app: AppID, since: Instant) {
        self.id = id
        self.app = app
        self.since = since
    }

    /// Orders the activities of several apps by turns, so that an app with much work does not delay the others (R10).
    ///
    /// - Parameter apps: the due activities of each app, soonest first.
    /// - Returns: at most `limit` activities, the first of each app before the second of any.
    package static func byTurns(_ apps: [[DueActivity]], limit: Int) -> [DueActivity] {
        let placed = apps.flatMap { $0.prefix(limit).enumerated() }.sorted { one, other in
            (one.offset, one.element.since, one.element.id.rawValue)
                < (other.offset, other.element.since, other.element.id.rawValue)
        }
        return placed.prefix(limit).map(\.element)
    }
}

extension [DueActivity] {
    /// Merges an app's due activities with those that are due again after a pause. There may be very many of the
    /// latter. Activities that are due by their time get half of the room at least.
    package func joined(with recalled: [DueActivity], limit: Int) -> [DueActivity] {
        let first = recalled.prefix(limit - Swift.min(count, limit / 2))
        let known = Set(first.map(\.id))
        return Array(first + filter { !known.contains($0.id) }.prefix(limit - first.count))
    }

    /// The activities in the order of their moments, each with its earliest one.
    package var soonestOfEach: [DueActivity] {
        var known: Set<ActivityID> = []
        return sorted { ($0.since, $0.id.rawValue) < ($1.since, $1.id.rawValue) }
            .filter { known.insert($0.id).inserted }
    }
}
