import EyotDomain

/// What has happened to the cards of a type, by hour.
package struct TypeReport: Sendable {
    package var type: String
    package var range: InsightRange
    /// Whether numbers of the type were ever kept.
    package var isKept = false
    /// The numbers of the whole range.
    package var numbers = KeptNumbers()
    /// The numbers of each span, oldest first. Hours of more than 30 days ago have become days.
    package var spans: [(span: CountSpan, numbers: KeptNumbers)] = []

    package init(of type: String, in range: InsightRange) {
        self.type = type
        self.range = range
    }
}

extension Commands {
    /// The longest and the usual range of a report on a type, in hours.
    package static let hoursOfType = (most: 31 * 24, usual: 24)

    /// The report of a type. A day that hours have become counts if it begins in the range.
    ///
    /// - Throws: `fieldInvalid` if the range has too many numbers.
    package func report(onType type: String, in range: InsightRange, of app: AppID) async throws -> TypeReport {
        try await store.read { ledger in
            var report = TypeReport(of: type, in: range)
            guard let number = try ledger.typeNumber(of: type, in: app) else { return report }
            report.isKept = true
            for width in [CountSpan.day, CountSpan.hour] {
                let found = try ledger.insights(
                    in: CountRange(app: app, activity: .ofType(number), width: width, seconds: range.seconds))
                for count in found { report.add(count) }
            }
            report.spans.sort { $0.span.second < $1.span.second }
            return report
        }
    }
}

extension TypeReport {
    /// Adds a number, which comes in the order of spans.
    fileprivate mutating func add(_ count: KeptCount) {
        numbers.add(count)
        if spans.last?.span != count.key.span { spans.append((count.key.span, KeptNumbers())) }
        spans[spans.count - 1].numbers.add(count)
    }
}
