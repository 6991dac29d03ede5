/// How the activities of a store are divided into shards. Each shard is leased by itself, so that nodes share the
/// pushing.
package struct Sharding: Sendable, Hashable {
    /// One shard with all activities, for a store that one process uses.
    package static let whole = Sharding(count: 1)
    /// The shards of a store that nodes share.
    package static let shared = Sharding(count: Shards.finest)

    /// The number of shards, a power of two up to ``Shards/finest``.
    package let count: Int

    package init(count: Int) {
        precondition((1...Shards.finest).contains(count) && count.nonzeroBitCount == 1)
        self.count = count
    }

    /// The number of an activity's shard. A channel belongs to the shard of its activity.
    package func shard(of id: ActivityID) -> Int { Int(id.rawValue & Int64(count - 1)) }

    /// The activities of some shards.
    package func activities(of shards: Set<Int>) -> Shards {
        var activities = Shards.none
        for part in 0..<Shards.finest where shards.contains(part & (count - 1)) { activities.insert(part) }
        return activities
    }
}

/// A set of activities by the last six bits of their ids. Ids count up, so each value is as frequent as the others.
package struct Shards: Sendable, Hashable {
    /// The largest number of shards.
    package static let finest = 64
    package static let all = Shards(bits: .max)
    package static let none = Shards(bits: 0)

    /// One bit for each value.
    package private(set) var bits: UInt64

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ id: ActivityID) -> Bool { bits >> UInt64(id.rawValue & 63) & 1 == 1 }

    fileprivate mutating func insert(_ part: Int) { bits |= 1 << UInt64(part) }
}
