import EyotDomain

/// Watched activities, in the simplest form.
extension MemoryLedger {
    package func watched(limit: Int) -> [WatchedActivity] {
        let sorted = watchedRows.sorted { ($0.app.rawValue, $0.name) < ($1.app.rawValue, $1.name) }
        return Array(sorted.prefix(limit))
    }

    package func put(_ watched: WatchedActivity) { watchedRows.insert(watched) }

    package func remove(_ watched: WatchedActivity) { watchedRows.remove(watched) }
}
