/// An activity for which something may be sent.
package struct DueActivity: Sendable, Hashable {
    package var id: ActivityID
    package var app: AppID
    /// Since when.
    package var since: Instant

    package init(id: ActivityID, app: AppID, since: Instant) {
        self.id = id
        self.app = app
        self.since = since
    }

    /// Takes the activities of several apps by turns: however much is due for one of them, it is as if the others were alone with
    /// it (R10).
    ///
    /// - Parameter apps: what is due for each app, soonest first.
    /// - Returns: as many as the limit, the first of each app before the second of any.
    package static func byTurns(_ apps: [[DueActivity]], limit: Int) -> [DueActivity] {
        let placed = apps.flatMap { $0.prefix(limit).enumerated() }.sorted { one, other in
            (one.offset, one.element.since, one.element.id.rawValue)
                < (other.offset, other.element.since, other.element.id.rawValue)
        }
        return placed.prefix(limit).map(\.element)
    }
}

extension [DueActivity] {
    /// What is due for an app together with what is due again after a pause. There may be very many of those at once, and what
    /// is due by its time is not to wait for them: it has half of the room at least.
    package func joined(with recalled: [DueActivity], limit: Int) -> [DueActivity] {
        let first = recalled.prefix(limit - Swift.min(count, limit / 2))
        let known = Set(first.map(\.id))
        return Array(first + filter { !known.contains($0.id) }.prefix(limit - first.count))
    }
}
