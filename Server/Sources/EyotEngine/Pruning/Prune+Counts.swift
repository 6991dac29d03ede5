import EyotDomain

/// Kept numbers get coarser as they get older, and go with the report that they belong to.
extension Prune {
    /// Merges numbers of one width that are old enough into the next width.
    func mergeCounts(_ index: Int) throws -> Stage? {
        let widths = CountSpan.widths
        guard widths.indices.contains(index + 1) else { return .reports }
        let (width, wider) = (widths[index], widths[index + 1].seconds)
        // Only whole spans of the next width are merged.
        let limit = CountSpan(of: now - Double(width.until), width: wider).second
        let spans = try ledger.spans(ofWidth: width.seconds, before: limit, limit: Self.rows)
        var merged: [CountPlace: SpanNumbers] = [:]
        for (former, numbers) in spans {
            var place = former
            place.span = former.span.widened(to: wider)
            merged[place, default: SpanNumbers()].merge(numbers)
            try ledger.put(SpanNumbers(), at: former)
        }
        for (place, numbers) in merged.sorted(by: { $0.key < $1.key }) { try ledger.add(numbers, at: place) }
        let old = try ledger.counts(ofWidth: width.seconds, before: limit, limit: Self.rows)
        for count in old {
            var key = count.key
            key.span = key.span.widened(to: wider)
            try ledger.add(count.value, to: key)
            try ledger.removeCount(at: count.key)
        }
        return max(spans.count, old.count) == Self.rows ? .counts(index) : .counts(index + 1)
    }

    /// Removes reports that were kept for long enough, with their numbers.
    ///
    /// - Returns: Whether there may be more.
    func removeReports() throws -> Bool {
        guard let report = try ledger.keptReports(since: now - retention.reports, limit: 1).first else { return false }
        if try ledger.removeCounts(of: report.activity, in: report.app, limit: Self.rows) < Self.rows {
            try ledger.removeKeptReport(of: report.activity)
        }
        return true
    }
}
