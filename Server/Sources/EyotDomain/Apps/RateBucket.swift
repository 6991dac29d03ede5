/// How often something may be done in a period. A bucket holds the count of one period and fills
/// steadily.
package struct Rate: Sendable, Hashable {
    /// Uses within a period; 0 means no limit.
    package let capacity: Double
    package let perSecond: Double

    /// Uses that a node may allow before it counts them in the store: a fortieth, so that three nodes allow what one
    /// does, within a tenth.
    package var step: Int { max(1, Int(capacity) / 40) }

    /// - Parameters:
    ///   - count: Uses within a period; 0 means no limit.
    ///   - period: In seconds.
    package init(_ count: Int, each period: Double) {
        capacity = Double(count)
        perSecond = Double(count) / period
    }

    /// Fills a bucket for the time that passed. A clock that is set back adds nothing.
    ///
    /// - Parameter bucket: Nil for a source without one.
    package func filled(_ bucket: RateBucket?, at now: Instant) -> RateBucket {
        guard var bucket else { return RateBucket(level: capacity, filledAt: now) }
        bucket.level = min(capacity, bucket.level + max(0, now.seconds(since: bucket.filledAt)) * perSecond)
        bucket.filledAt = max(now, bucket.filledAt)
        return bucket
    }

    /// When the bucket is full again without further use. Nodes store this moment of a bucket, and nothing else.
    package func fullAt(_ bucket: RateBucket) -> Instant {
        bucket.filledAt + max(0, capacity - bucket.level) / perSecond
    }

    /// The bucket that is full again at a moment. It misses a tenth more than a period's count at the most, so that a
    /// node with a wrong clock closes no limit for long.
    ///
    /// - Parameter fullAt: Nil for a full one.
    package func bucket(fullAt: Instant?, at now: Instant) -> RateBucket {
        let missing = fullAt.map { max(0, $0.seconds(since: now)) * perSecond } ?? 0
        return RateBucket(level: capacity - min(missing, capacity * 1.1), filledAt: now)
    }

    package func standing(_ bucket: RateBucket, isTaken: Bool) -> RateStanding {
        RateStanding(
            limit: Int(capacity), remaining: max(0, Int(bucket.level)), fullAt: fullAt(bucket),
            wait: isTaken ? nil : (1 - bucket.level) / perSecond)
    }
}

/// The uses that a source has left.
package struct RateBucket: Sendable, Hashable {
    package var level: Double
    /// The moment of ``level``.
    package var filledAt: Instant

    package init(level: Double, filledAt: Instant) { (self.level, self.filledAt) = (level, filledAt) }
}

/// What is limited: a key, an app, a device or an address.
package struct LimitedSource: Sendable, Hashable {
    /// The limits that nodes share. Raw values are stored.
    package enum Limit: String, Sendable, CaseIterable {
        case key, reserve, app, device, failedKeys, failedSecrets, registrations
    }

    package var limit: Limit
    package var source: String

    package init(_ limit: Limit, _ source: String) { (self.limit, self.source) = (limit, source) }
}
