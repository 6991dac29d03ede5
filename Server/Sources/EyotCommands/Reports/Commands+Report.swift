import EyotDomain

/// The report of one activity: what has happened to its cards, in numbers that were kept as it happened.
package struct CountReport: Sendable {
    package var subject: KeptReport
    package var isEnded: Bool
    /// The numbers over the whole life of the activity.
    package var numbers = KeptNumbers()
    /// What phones show now.
    package var shown = ShownNumbers()
    /// The numbers of each span of time, oldest first.
    package var spans: [(span: CountSpan, numbers: KeptNumbers)] = []
}

extension Commands {
    /// The most kept numbers that one report reads. The pruner's merging keeps their number far below.
    private static let numbersOfReport = 100_000
    /// The most generations that are searched for a given one.
    private static let generations = 1_000

    /// The report of a generation of a name, also after the activity was removed.
    ///
    /// - Parameter generation: nil for the newest.
    /// - Throws: `activityUnknown`.
    package func report(on name: String, generation: Int? = nil, of app: AppID) async throws -> CountReport {
        let now = clock.now
        return try await store.read { ledger in
            guard let subject = try ledger.reportSubject(name, generation, of: app, limit: Self.generations) else {
                guard generation == nil else {
                    throw EyotError(.activityUnknown, "activity \(name) has no such generation", field: "generation")
                }
                throw try ledger.unknownActivity(name, in: app)
            }
            var report = CountReport(subject: subject, isEnded: subject.endedAt != nil || subject.keptSince != nil)
            let found = try ledger.counts(of: subject.activity, in: app, limit: Self.numbersOfReport)
            report.add(found)
            let showing = report.numbers[.showing]
            // The declarations of a removed activity are gone, and its cards are over.
            report.shown =
                try ledger.activity(subject.activity).map { try ledger.shown(showing, of: $0, at: now) }
                ?? ShownNumbers(showing, beside: subject.common) { _ in false }
            return report
        }
    }
}

extension CountReport {
    /// Adds numbers, which come in the order of their widths and seconds.
    fileprivate mutating func add(_ counts: [KeptCount]) {
        for count in counts {
            numbers.add(count)
            guard count.key.span != .life else { continue }
            if spans.last?.span != count.key.span { spans.append((count.key.span, KeptNumbers())) }
            spans[spans.count - 1].numbers.add(count)
        }
        spans.sort { ($0.span.second, $0.span.width) < ($1.span.second, $1.span.width) }
    }
}

extension Ledger {
    /// The generation of a name that a report is about; nil if neither it nor its report is there.
    fileprivate func reportSubject(
        _ name: String, _ generation: Int?, of app: AppID, limit: Int
    ) throws -> KeptReport? {
        let running = try activities(named: name, in: app, limit: generation == nil ? 1 : limit)
        let isWanted = { (number: Int) in generation.map { $0 == number } ?? true }
        if let found = running.first(where: { isWanted($0.generation) }) { return KeptReport(of: found) }
        return try keptReports(named: name, in: app, limit: limit).first { isWanted($0.generation) }
    }
}
