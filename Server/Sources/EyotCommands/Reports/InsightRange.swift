import EyotDomain

/// The time that a caller asks about, in whole hours or days of UTC.
package struct InsightRange: Sendable, Hashable {
    /// The first moment.
    package let since: Instant
    /// The first moment after it.
    package let until: Instant
    /// Seconds of a step.
    package let width: Int

    /// - Parameters:
    ///   - since: nil for as many steps before the end as `usual` says.
    ///   - until: nil for now.
    ///   - steps: The most steps, and how many it has without a beginning.
    /// - Throws: `fieldInvalid` if it ends before it begins, or has too many steps.
    package init(
        since: Instant?, until: Instant?, at now: Instant, width: Int, steps: (most: Int, usual: Int)
    ) throws {
        // A moment within a step asks for the whole step.
        let next = CountSpan(of: until ?? now, width: width).second
        let isWhole = until.map { $0.second == next } ?? false
        let end = isWhole ? next : next + width
        let start = since.map { CountSpan(of: $0, width: width).second } ?? end - steps.usual * width
        guard start < end else {
            throw EyotError(.fieldInvalid, "since must be a time before until", field: "since")
        }
        guard end - start <= steps.most * width else {
            let unit = width == CountSpan.day ? "days" : "hours"
            throw EyotError(
                .fieldInvalid, "from since to until must be at most \(steps.most) \(unit)", field: "since")
        }
        (self.since, self.until, self.width) = (Instant(second: start), Instant(second: end), width)
    }

    /// The first seconds of its steps.
    package var seconds: Range<Int> { since.second..<until.second }
}

extension Ledger {
    /// The most kept numbers that one answer reads.
    private static var numbersOfAnswer: Int { 200_000 }

    /// Reads numbers of a type or an app.
    ///
    /// - Throws: `fieldInvalid` if there are too many.
    func insights(in range: CountRange) throws -> [KeptCount] {
        let found = try counts(in: range, limit: Self.numbersOfAnswer + 1)
        guard found.count <= Self.numbersOfAnswer else {
            throw EyotError(
                .fieldInvalid, "this time has more than \(Self.numbersOfAnswer) numbers: choose a later since",
                field: "since")
        }
        return found
    }
}
