/// How often something may be done by each of many sources: a bucket for each, which holds what a period brings and fills steadily.
/// So a source that was quiet may do a whole period's worth at once.
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

    /// Buckets that are remembered.
    package var remembered: Int { buckets.count }

    /// - Parameters:
    ///   - count: how often within a period; 0 is without limit.
    ///   - period: in seconds.
    ///   - sources: buckets kept. Beyond them full ones make room, or any where none is: the limit is looser then, never the
    ///     memory.
    package init(_ count: Int, each period: Double, sources: Int = 10_000) {
        capacity = Double(count)
        perSecond = Double(count) / period
        self.sources = sources
    }

    /// Counts one, where it may be.
    ///
    /// - Returns: how the source stands then; nil where there is no limit.
    package mutating func take(_ source: Source, at now: Instant) -> RateStanding? {
        guard capacity > 0 else { return nil }
        var bucket = filled(buckets[source], at: now)
        let isTaken = bucket.level >= 1
        if isTaken { bucket.level -= 1 }
        if buckets[source] == nil, buckets.count >= sources { makeRoom(at: now) }
        buckets[source] = bucket
        return standing(bucket, isTaken: isTaken, at: now)
    }

    /// Takes back one that was counted and is not to count.
    package mutating func giveBack(_ source: Source, at now: Instant) {
        guard var bucket = buckets[source] else { return }
        bucket = filled(bucket, at: now)
        bucket.level = min(capacity, bucket.level + 1)
        buckets[source] = bucket
    }

    /// How a source stands before it takes one; nil where there is no limit.
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

    /// A clock that is set back gives nothing away.
    private func filled(_ bucket: Bucket?, at now: Instant) -> Bucket {
        guard var bucket else { return Bucket(level: capacity, filledAt: now) }
        bucket.level = min(capacity, bucket.level + max(0, now.seconds(since: bucket.filledAt)) * perSecond)
        bucket.filledAt = max(now, bucket.filledAt)
        return bucket
    }

    /// All are looked at once a second at most, however many new sources come.
    private mutating func makeRoom(at now: Instant) {
        if clearedAt.map({ abs(now.seconds(since: $0)) >= 1 }) ?? true {
            clearedAt = now
            buckets = buckets.filter { filled($0.value, at: now).level < capacity }
        }
        if buckets.count >= sources, let any = buckets.keys.first { buckets[any] = nil }
    }
}

/// How a source stands with a limit.
package struct RateStanding: Sendable, Hashable {
    /// How often within a period.
    package var limit: Int
    /// How often more at once.
    package var remaining: Int
    /// When the bucket is full again, where nothing more is taken.
    package var fullAt: Instant
    /// Seconds until it may be done; nil where it may.
    package var wait: Double?
}
