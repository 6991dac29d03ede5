/// A limit on how often each of many sources may do something. Each source has a bucket that holds the count of one
/// period and fills steadily. A source that was quiet may use a whole period's count at once.
package struct RateLimit<Source: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Instant
    }

    private let capacity: Double
    private let perSecond: Double
    private let sources: Int
    private var buckets: [Source: Bucket] = [:]
    private var clearedAt: Instant?

    /// The number of buckets in memory.
    package var remembered: Int { buckets.count }

    /// - Parameters:
    ///   - count: uses within a period; 0 means no limit.
    ///   - period: the length of the period, in seconds.
    ///   - sources: the most buckets. Beyond it full buckets are dropped, and any bucket if none is full. The limit is
    ///     then looser, and the memory stays bounded.
    package init(_ count: Int, each period: Double, sources: Int = 10_000) {
        capacity = Double(count)
        perSecond = Double(count) / period
        self.sources = sources
    }

    /// Counts one use, if it is allowed.
    ///
    /// - Returns: the standing after it; nil if there is no limit.
    package mutating func take(_ source: Source, at now: Instant) -> RateStanding? {
        guard capacity > 0 else { return nil }
        var bucket = filled(buckets[source], at: now)
        let isTaken = bucket.level >= 1
        if isTaken { bucket.level -= 1 }
        if buckets[source] == nil, buckets.count >= sources { makeRoom(at: now) }
        buckets[source] = bucket
        return standing(bucket, isTaken: isTaken, at: now)
    }

    /// Takes back one use that is not to count.
    package mutating func giveBack(_ source: Source, at now: Instant) {
        guard var bucket = buckets[source] else { return }
        bucket = filled(bucket, at: now)
        bucket.level = min(capacity, bucket.level + 1)
        buckets[source] = bucket
    }

    /// Returns the standing of a source before a use; nil if there is no limit.
    package func look(_ source: Source, at now: Instant) -> RateStanding? {
        guard capacity > 0 else { return nil }
        let bucket = filled(buckets[source], at: now)
        return standing(bucket, isTaken: bucket.level >= 1, at: now)
    }

    private func standing(_ bucket: Bucket, isTaken: Bool, at now: Instant) -> RateStanding {
        RateStanding(
            limit: Int(capacity), remaining: Int(bucket.level), fullAt: now + (capacity - bucket.level) / perSecond,
            wait: isTaken ? nil : (1 - bucket.level) / perSecond)
    }

    /// Fills a bucket for the time that passed. A clock that is set back adds nothing.
    private func filled(_ bucket: Bucket?, at now: Instant) -> Bucket {
        guard var bucket else { return Bucket(level: capacity, filledAt: now) }
        bucket.level = min(capacity, bucket.level + max(0, now.seconds(since: bucket.filledAt)) * perSecond)
        bucket.filledAt = max(now, bucket.filledAt)
        return bucket
    }

    /// Drops buckets. All buckets are searched at most once a second, however many new sources come.
    private mutating func makeRoom(at now: Instant) {
        if clearedAt.map({ abs(now.seconds(since: $0)) >= 1 }) ?? true {
            clearedAt = now
            buckets = buckets.filter { filled($0.value, at: now).level < capacity }
        }
        if buckets.count >= sources, let any = buckets.keys.first { buckets[any] = nil }
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
