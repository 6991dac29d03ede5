import EyotDomain

extension ActivityReport {
    /// Reads how many replicas are in which state.
    mutating func readCounts(in ledger: any Ledger) throws {
        func counts(_ counter: KeptCounter) throws -> [String: Int] {
            try ledger.counts(of: counter, of: activity.id, in: activity.app).filter { $0.value > 0 }
        }
        phases = try counts(.phase)
        deaths = try counts(.death)
        for (word, count) in try counts(.failure) { failures[StartFailure(rawValue: word) ?? .givenUp] = count }
    }
}

extension InspectActivity {
    /// Pages that are looked at for replicas that are behind. Most of the time none has one.
    private static let pagesLookedAt = 3

    /// Counts the replicas that are behind. If they are on many pages, it looks at the first pages and estimates the
    /// others.
    func lookBehind(_ activity: Activity, _ report: inout ActivityReport) async throws {
        let pages = try await store.read { try $0.pagesBehind(of: activity) }
        let looked = pages.prefix(Self.pagesLookedAt)
        for page in looked {
            let now = clock.now
            let moments = try await store.read { try $0.momentsBehind(onPage: page, of: activity.id, at: now) }
            report.behind += moments.count
            for since in moments { report.behindSeconds = max(report.behindSeconds, pushing.age(of: since, at: now)) }
        }
        guard looked.count < pages.count else { return }
        report.isBehindEstimated = true
        report.behind = report.behind * pages.count / looked.count
    }
}

extension Ledger {
    /// The most pages of an activity: those of ten million cards.
    private static var pageLimit: Int { 10_000 }

    /// Numbers of pages that may have a replica that is behind, in their order.
    func pagesBehind(of activity: Activity) throws -> [Int] {
        let all = RingPage.number(of: max(1, activity.nextOrdinal - 1)) + 1
        // Further ends are looked at replica by replica, and leave no mark on pages.
        guard activity.firstEnd == nil, let last = try lastRingPage(of: activity.id) else {
            return Array(0..<min(all, Self.pageLimit))
        }
        let known = try ringPagesBehind(of: activity.id, newest: activity.newestCommon, limit: Self.pageLimit)
        return known + Array((last + 1)..<max(all, last + 1))
    }

    /// Since when the replicas of a page that are behind have been so.
    fileprivate func momentsBehind(onPage number: Int, of id: ActivityID, at now: Instant) throws -> [Instant] {
        guard let activity = try activity(id) else { return [] }
        let lens = try ReplicaLens(ledger: self, activity: activity, now: now)
        return try replicas(of: id, after: RingPage.first(onPage: number) - 1, limit: RingPage.capacity)
            .filter { RingPage.number(of: $0.ordinal) == number }
            .compactMap { try lens.view(of: $0).behindSince }
    }
}
