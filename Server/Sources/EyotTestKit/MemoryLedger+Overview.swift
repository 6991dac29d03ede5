import EyotDomain

/// Lists of activities, in the simplest form.
extension MemoryLedger {
    package func runningActivities(of app: AppID, limit: Int) -> [RunningActivity] {
        let found = activities.filter { $0.app == app && $0.endedAt == nil }.map { activity in
            let phases = details(at: CountKey(app: app, activity: activity.id, .phase))
            return RunningActivity(
                id: activity.id, type: activity.type, places: activity.nextOrdinal - 1,
                cards: Replica.runningWords.reduce(0) { $0 + (phases[$1] ?? 0) })
        }
        let ordered = found.sorted { ($0.places, $0.id.rawValue) > ($1.places, $1.id.rawValue) }
        return Array(ordered.prefix(limit))
    }

    package func haltedActivities(of app: AppID, limit: Int) -> [ActivityID] {
        let found = activities.filter { $0.app == app && $0.haltedAt != nil && $0.endedAt == nil }.map(\.id)
        return Array(found.sorted { $0.rawValue > $1.rawValue }.prefix(limit))
    }

    package func plannedActivities(
        of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) -> [ActivityID] {
        let found = activities.compactMap { activity -> (Instant, ActivityID)? in
            guard activity.app == app, activity.endedAt == nil, let at = activity.startsAt, at > now, at <= moment
            else { return nil }
            return (at, activity.id)
        }
        return Array(found.sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }.map(\.1).prefix(limit))
    }

    package func newestActivities(of app: AppID, before id: ActivityID?, limit: Int) -> [Activity] {
        let found = activities.filter { $0.app == app && $0.id.rawValue < id?.rawValue ?? .max }
        return Array(found.sorted { $0.id.rawValue > $1.id.rawValue }.prefix(limit))
    }

    package func newestReports(of app: AppID, before id: ActivityID?, limit: Int) -> [KeptReport] {
        let found = reportRows.filter { $0.app == app && $0.activity.rawValue < id?.rawValue ?? .max }
        return Array(found.sorted { $0.activity.rawValue > $1.activity.rawValue }.prefix(limit))
    }

    package func counts(of counter: KeptCounter, in range: CountRange, limit: Int) -> [KeptCount] {
        Array(counts(in: range, limit: .max).filter { $0.key.counter == counter }.prefix(limit))
    }
}
