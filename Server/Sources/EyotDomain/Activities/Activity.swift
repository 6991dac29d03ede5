import APNSWire
import EyotContract
import Foundation

/// The id of one generation of an activity in the store.
package struct ActivityID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// What somebody declares, and what its replicas have to show: one generation of one name.
///
/// A start after an end opens the next generation. A name first seen on a phone makes an activity without a declaration.
package struct Activity: Sendable, Hashable {
    package var id: ActivityID
    package var app: AppID
    package var name: String
    package var generation: Int
    /// The name of the attributes type; nil until somebody says it.
    package private(set) var type: String?
    /// Whether a backend has said the type: its word counts, and not what phones say of their cards.
    package private(set) var isTypeDeclared = false
    /// The newest declaration's version, 0 where nobody has declared anything.
    package var version = 0
    /// The newest state declared for everyone.
    package var everyone = 0
    /// When the caller says that state was true, where they say it (R14).
    package var everyoneAsOf: Instant?
    /// The newest moment that a declaration for everyone claimed to be true of. A caller who claims an older one is late,
    /// also where somebody has declared something without a moment since.
    package var latestAsOf: Instant?
    /// The newest moment that a state for some claimed to be true of.
    package var scopedAsOf: Instant?
    /// The newest declaration for everyone that carries an alert.
    package var alert = 0
    /// The newest state for everyone that is urgent.
    package var urgent = 0
    /// The declaration that ended it for everyone.
    package var end: Int?
    package var endedAt: Instant?
    /// When a further end took the place of the one before; nil if there was one end at most. Cards that have ended may
    /// still be in view, and get the further end too.
    package var endReplacedAt: Instant?
    /// The latest moment for which remote starts were planned. Those that have not left are called off by an end.
    package var startsAt: Instant?
    /// When it ends by itself.
    package var endsAt: Instant?
    /// Whether the cards go from the screen when it ends by itself.
    package var dismissesAtEnd = false
    /// Lists of scopes' members who have not all been told.
    package var pendingScopes = 0
    /// Since when an operator, or a canary that failed, lets nothing be sent for it.
    package var haltedAt: Instant?
    /// The newest declaration for everyone, where it was tried out with a few first.
    package var canary: Canary?
    /// The ordinal of the next replica. Ordinals are dense and never used again in a generation.
    package var nextOrdinal = 1
    /// When the engine has to look at it next; nil while nothing is to be done.
    package var dueAt: Instant?
    /// Raised by every change that may make a replica due, so that the engine rests only on what it has seen.
    package var stamp = 0
    package var createdAt: Instant
    package var tally = Tally()
    /// Whether any phone of the app may join; nil is as the app has it.
    package var isPublic: Bool?
    /// Users for whom it was started, up to ``memberLimit``.
    package var users: Set<String> = []

    /// Environments in which the app was paused when somebody who is behind was passed over. They are looked at again when it
    /// is resumed there, and the activity is due for that; until then no operation that concerns them is complete.
    package var passedOver: Set<PushEnvironment> = []
    /// Laps over its pages of the ring.
    package var laps = RingLaps()

    package init(
        id: ActivityID, app: AppID, name: String, generation: Int, type: String?, isTypeDeclared: Bool = false,
        createdAt: Instant
    ) {
        self.id = id
        self.app = app
        self.name = name
        self.generation = generation
        self.type = type
        self.isTypeDeclared = isTypeDeclared
        self.createdAt = createdAt
    }

    /// A backend says the type. What phones have said gives way; what a backend has said stays.
    package mutating func declare(type said: String?) {
        guard let said, !isTypeDeclared else { return }
        (type, isTypeDeclared) = (said, true)
    }

    /// A phone says of which type a card is. Without that, an activity of cards that their apps start would have no profile, and no halt
    /// of its type.
    package mutating func see(type said: String) {
        guard type == nil, !said.isEmpty else { return }
        type = said
    }

    package var isEnded: Bool { end != nil }

    /// Whether a card that ended with it may still be in view: iOS keeps one for up to four hours.
    package func hasCardsInView(at now: Instant) -> Bool {
        endedAt.map { now.seconds(since: $0) < Double(APNSLimits.lingerLifetime) } ?? false
    }

    /// The newest declaration that concerns everyone, 0 for none.
    package var newestForEveryone: Int { common.newest }

    /// Says that a replica may be due from `moment` on.
    package mutating func wake(at moment: Instant) {
        stamp += 1
        dueAt = min(dueAt ?? moment, moment)
    }
}

/// What happened to an activity's pushes, counted.
package struct Tally: Sendable, Hashable {
    package var started = 0
    package var accepted = 0
    package var ended = 0
    /// States that a replica never needed, since a newer one overtook them.
    package var superseded = 0
    package var alertsSuperseded = 0
    package var alertsExpired = 0
    package var refused = 0
    package var unknown = 0
    package var broadcasts = BroadcastCounts()
    package var ages = AgeHistogram()

    package init() {}
}

/// What Apple said to broadcasts, each counted once, however many cards follow.
package struct BroadcastCounts: Sendable, Hashable {
    package var accepted = 0
    package var refused = 0
    package var unknown = 0

    package init() {}

    package mutating func add(_ verdict: PushVerdict) {
        if verdict == .accepted { accepted += 1 }
        if verdict.reason != nil { refused += 1 }
        if verdict == .unknown { unknown += 1 }
    }

    package static func - (now: BroadcastCounts, before: BroadcastCounts) -> BroadcastCounts {
        var counts = BroadcastCounts()
        counts.accepted = now.accepted - before.accepted
        counts.refused = now.refused - before.refused
        counts.unknown = now.unknown - before.unknown
        return counts
    }
}

/// How long replicas were behind until Apple accepted their state: counts in steps of a factor of √2, from 1 ms.
package struct AgeHistogram: Sendable, Hashable {
    package static let steps = 48
    /// By their step, up to the last that there was.
    package private(set) var counts: [Int] = []
    /// The longest, in seconds.
    package private(set) var longest = 0.0

    package init() {}

    package init(counts: [Int], longest: Double) {
        let last = counts.prefix(Self.steps).lastIndex { $0 > 0 }
        self.counts = last.map { Array(counts[...$0]) } ?? []
        self.longest = longest
    }

    package mutating func record(seconds: Double, count: Int = 1) {
        guard count > 0 else { return }
        let reached = seconds <= 0.001 ? 0 : Int((2 * log2(seconds / 0.001)).rounded(.up))
        let step = min(reached, Self.steps - 1)
        reach(step)
        counts[step] += count
        longest = max(longest, seconds)
    }

    /// Takes in what another one has counted.
    package mutating func add(_ other: AgeHistogram) {
        reach(other.counts.count - 1)
        for (step, count) in other.counts.enumerated() { counts[step] += count }
        longest = max(longest, other.longest)
    }

    private mutating func reach(_ step: Int) {
        if step >= counts.count { counts += Array(repeating: 0, count: step + 1 - counts.count) }
    }

    /// The age in seconds that this share of the records does not exceed, to within a step; nil without records.
    package func quantile(_ share: Double) -> Double? {
        let total = counts.reduce(0, +)
        guard total > 0 else { return nil }
        var seen = 0
        for (step, count) in counts.enumerated() {
            seen += count
            if Double(seen) >= share * Double(total) { return min(longest, 0.001 * exp2(Double(step) / 2)) }
        }
        return longest
    }
}
