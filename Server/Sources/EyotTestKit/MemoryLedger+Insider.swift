import EyotDomain

/// Insider's activities, in the simplest form.
extension MemoryLedger {
    package func insiderActivity(_ id: String, in app: AppID) -> InsiderActivity? {
        insiderActivities.first { $0.app == app && $0.id == id }
    }

    package func insiderActivities(naming user: String, in app: AppID, after id: String, limit: Int) -> [String] {
        insiderActivities.filter { $0.app == app && $0.users.contains(user) }.map(\.id)
            .filter { id.utf8.lexicographicallyPrecedes($0.utf8) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit).map(\.self)
    }

    package func put(_ activity: InsiderActivity) {
        insiderActivities.removeAll { $0.app == activity.app && $0.id == activity.id }
        insiderActivities.append(activity)
    }

    package func forgetInsiderActivities(endedBefore moment: Instant, limit: Int) {
        let over = insiderActivities.filter { $0.endsAt < moment }.sorted { $0.endsAt < $1.endsAt }.prefix(limit)
        insiderActivities.removeAll { over.contains($0) }
    }
}
