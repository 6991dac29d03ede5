import EyotDomain

/// Kept numbers, in the simplest form.
extension MemoryLedger {
    package func add(_ value: Int, to key: CountKey) {
        let former = countRows[key] ?? 0
        countRows[key] = key.counter.isMaximum ? max(former, value) : former + value
    }

    package func count(at key: CountKey) -> Int? { countRows[key] }

    package func counts(of counter: KeptCounter, of activity: ActivityID, in app: AppID) -> [String: Int] {
        var counts: [String: Int] = [:]
        for (key, value) in countRows
        where key.app == app && key.activity == activity && key.counter == counter && key.span == .life {
            counts[key.detail] = value
        }
        return counts
    }

    package func counts(of activity: ActivityID, in app: AppID, limit: Int) -> [KeptCount] {
        let found = countRows.filter { $0.key.app == app && $0.key.activity == activity }
        return Array(found.sorted { $0.key < $1.key }.prefix(limit).map { KeptCount($0.key, $0.value) })
    }

    package func counts(ofWidth width: Int, before second: Int, limit: Int) -> [KeptCount] {
        let found = countRows.filter { $0.key.span.width == width && $0.key.span.second < second }
        let sorted = found.sorted { ($0.key.span.second, $0.key) < ($1.key.span.second, $1.key) }
        return Array(sorted.prefix(limit).map { KeptCount($0.key, $0.value) })
    }

    package func counts(
        of activity: ActivityID, in app: AppID, width: Int, beginning seconds: Range<Int>, limit: Int
    ) -> [KeptCount] {
        let found = counts(of: activity, in: app, limit: .max)
        return Array(found.filter { $0.key.span.width == width && seconds.contains($0.key.span.second) }.prefix(limit))
    }

    package func removeCounts(forApp app: AppID, width: Int, before second: Int, limit: Int) -> Int {
        let found = counts(of: .wholeApp, in: app, width: width, beginning: 0..<max(0, second), limit: limit)
        for count in found { countRows[count.key] = nil }
        return found.count
    }

    package func removeCount(at key: CountKey) { countRows[key] = nil }

    package func removeCounts(of activity: ActivityID, in app: AppID, limit: Int) -> Int {
        let found = counts(of: activity, in: app, limit: limit)
        for count in found { countRows[count.key] = nil }
        return found.count
    }

    package func put(_ report: KeptReport) {
        removeKeptReport(of: report.activity)
        reportRows.append(report)
    }

    package func keptReports(named name: String, in app: AppID, limit: Int) -> [KeptReport] {
        Array(
            reportRows.filter { $0.app == app && $0.name == name }.sorted { $0.generation > $1.generation }
                .prefix(limit))
    }

    package func keptReports(since moment: Instant, limit: Int) -> [KeptReport] {
        let found = reportRows.filter { $0.keptSince.map { $0 < moment } ?? false }
        return Array(found.sorted { ($0.keptSince ?? moment) < ($1.keptSince ?? moment) }.prefix(limit))
    }

    package func removeKeptReport(of activity: ActivityID) { reportRows.removeAll { $0.activity == activity } }
}
