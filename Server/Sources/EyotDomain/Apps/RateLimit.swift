/// A limit on how often each of many sources may do something. A source that was quiet may use a whole period's count
/// at once.
///
/// A node that shares its limits with others counts here first. It takes what is due with ``due(_:at:)``, counts it in
/// the store, and notes with ``settle(_:as:)`` what is left there.
package struct RateLimit<Source: Hashable & Sendable>: Sendable {
    private struct Entry {
        var bucket: RateBucket
        /// Uses that the store does not know. Below 0 if more were taken back than came.
        var unsaid = 0
    }

    package let rate: Rate
    private let sources: Int
    private var entries: [Source: Entry] = [:]
    private var clearedAt: Instant?

    /// The number of buckets in memory.
    package var remembered: Int { entries.count }

    /// - Parameters:
    ///   - count: uses within a period; 0 means no limit.
    ///   - period: the length of the period, in seconds.
    ///   - sources: the most buckets. Beyond it full buckets are dropped, and any bucket if none is full. The limit is
    ///     then looser, and the memory stays bounded.
    package init(_ count: Int, each period: Double, sources: Int = 10_000) {
        rate = Rate(count, each: period)
        self.sources = sources
    }

    /// Counts one use, if it is allowed.
    ///
    /// - Returns: the standing after it; nil if there is no limit.
    package mutating func take(_ source: Source, at now: Instant) -> RateStanding? {
        guard rate.capacity > 0 else { return nil }
        var entry = filled(source, at: now)
        let isTaken = entry.bucket.level >= 1
        if isTaken { (entry.bucket.level, entry.unsaid) = (entry.bucket.level - 1, entry.unsaid + 1) }
        if entries[source] == nil, entries.count >= sources { makeRoom(at: now) }
        entries[source] = entry
        return rate.standing(entry.bucket, isTaken: isTaken)
    }

    /// Takes back one use that is not to count.
    package mutating func giveBack(_ source: Source, at now: Instant) {
        guard entries[source] != nil else { return }
        var entry = filled(source, at: now)
        entry.bucket.level = min(rate.capacity, entry.bucket.level + 1)
        entry.unsaid -= 1
        entries[source] = entry
    }

    /// Returns the standing of a source before a use; nil if there is no limit.
    package func look(_ source: Source, at now: Instant) -> RateStanding? {
        guard rate.capacity > 0 else { return nil }
        let bucket = filled(source, at: now).bucket
        return rate.standing(bucket, isTaken: bucket.level >= 1)
    }

    // MARK: Shared with other nodes

    /// Hands out the uses that the store has to count now; nil if it can wait. The one use of a source that comes only
    /// once is never due, so a stranger's call costs no write.
    package mutating func due(_ source: Source) -> Int? {
        guard let entry = entries[source], entry.unsaid >= rate.step, entry.bucket.level <= rate.capacity - 1.5
        else { return nil }
        entries[source]?.unsaid = 0
        return entry.unsaid
    }

    /// Notes what the store has left for a source, with the uses of all nodes.
    package mutating func settle(_ source: Source, as bucket: RateBucket) {
        guard let entry = entries[source] else { return }
        var settled = bucket
        settled.level -= Double(entry.unsaid)
        entries[source]?.bucket = settled
    }

    /// Keeps uses that the store did not count, for the next time.
    package mutating func keep(_ uses: Int, of source: Source) { entries[source]?.unsaid += uses }

    private func filled(_ source: Source, at now: Instant) -> Entry {
        var entry = entries[source] ?? Entry(bucket: rate.filled(nil, at: now))
        entry.bucket = rate.filled(entry.bucket, at: now)
        return entry
    }

    /// Drops buckets. All buckets are searched at most once a second, however many new sources come.
    private mutating func makeRoom(at now: Instant) {
        if clearedAt.map({ abs(now.seconds(since: $0)) >= 1 }) ?? true {
            clearedAt = now
            entries = entries.filter { rate.filled($0.value.bucket, at: now).level < rate.capacity }
        }
        if entries.count >= sources, let any = entries.keys.first { entries[any] = nil }
    }
}

/// The standing of a source with a limit.
package struct RateStanding: Sendable, Hashable {
    /// Uses within a period.
    package var limit: Int
    /// Uses that are allowed at once now.
    package var remaining: Int
    /// When the bucket is full again without further use.
    package var fullAt: Instant
    /// Seconds until a use is allowed; nil if it is allowed.
    package var wait: Double?
}
