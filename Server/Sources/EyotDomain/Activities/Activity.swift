import APNSWire
import EyotContract
import Foundation

/// The id of one generation of an activity in the store.
package struct ActivityID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The declared state of one generation of one name, which its replicas have to show.
///
/// A start after an end opens the next generation. A name that a phone reports first makes an activity without a
/// declaration.
package struct Activity: Sendable, Hashable {
    package var id: ActivityID
    package var app: AppID
    package var name: String
    package var generation: Int
    /// The name of the attributes type; nil while it is unknown.
    package private(set) var type: String?
    /// Whether a backend has declared the type. Types that phones report do not change it then.
    package private(set) var isTypeDeclared = false
    /// The newest declaration's version.
    package var version: Version = 0
    /// The declarations for everyone that count. Those of an open canary do not.
    package var common = CommonState()
    /// The latest `asOf` of the declarations for everyone. A caller with an older one is late, even if a state without
    /// an `asOf` was declared in between.
    package var latestAsOf: Instant?
    /// The latest `asOf` of the scoped states.
    package var scopedAsOf: Instant?
    package var endedAt: Instant?
    /// Its first end for everyone, if a further end was declared after it; otherwise nil. Cards that have ended may
    /// still be in view, and get the further end too.
    package var firstEnd: Version?
    /// The latest moment for which remote starts were planned. An end cancels those that have not left.
    package var startsAt: Instant?
    /// When it ends by itself; nil if that is not planned.
    package var endsAt: Instant?
    /// Whether the cards leave the screen when it ends by itself.
    package var dismissesAtEnd = false
    /// Member lists of scopes that still have pending members.
    package var pendingScopes = 0
    /// Since when it is halted, by an operator or a failed canary; nil if it is not.
    package var haltedAt: Instant?
    /// The newest declaration for everyone that is tried with a first share, or was.
    package var canary: Canary?
    /// The ordinal of the next replica. Ordinals are dense and never used again in a generation.
    package var nextOrdinal = 1
    /// When the engine has to look at it next; nil while nothing is due.
    package var dueAt: Instant?
    /// The last distant moment until which it came to rest; never before ``dueAt``. A store keeps the activity's place
    /// for that moment while work wakes it and it comes to rest again.
    package private(set) var restsUntil: Instant?
    /// Raised by every change that may make a replica due. The engine rests only if it has seen the last of them.
    package var stamp = 0
    package var createdAt: Instant
    package var tally = Tally()
    /// Whether any phone of the app may join; nil follows the app's setting.
    package var isPublic: Bool?
    /// Users that its starts named, up to ``memberLimit``.
    package var users: Set<String> = []

    /// Environments with replicas that are behind and were skipped by a pause of the app. A resume there makes the
    /// activity due again. Until then no operation that applies to these replicas is complete.
    package var skippedEnvironments: Set<PushEnvironment> = []
    /// The progress of laps over its pages of the ring.
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

    /// Sets the type that a backend declares. It replaces a type that phones reported, and never a type that a backend
    /// declared.
    package mutating func declare(type said: String?) {
        guard let said, !isTypeDeclared else { return }
        (type, isTypeDeclared) = (said, true)
    }

    /// Sets the type of a card that a phone reports, if no type is known. Otherwise an activity of cards that their
    /// apps start would have no profile, and no halt of its type would reach it.
    package mutating func see(type said: String) {
        guard type == nil, !said.isEmpty else { return }
        type = said
    }

    /// The declaration that ended it for everyone.
    package var end: Version? {
        get { common.end }
        set { common.end = newValue }
    }

    package var isEnded: Bool { end != nil }

    /// Whether a card that ended with it may still be in view. iOS keeps one for up to four hours.
    package func hasCardsInView(at now: Instant) -> Bool {
        endedAt.map { now.seconds(since: $0) < Double(APNSLimits.lingerLifetime) } ?? false
    }

    /// The newest declaration for everyone. A canary's declaration does not count.
    package var newestCommon: Version { common.newest }

    /// Makes it due at `moment`, unless it is due earlier.
    package mutating func wake(at moment: Instant) {
        stamp += 1
        dueAt = min(dueAt ?? moment, moment)
    }

    /// Seconds from which on a rest counts as long.
    private static let longRest = 3_600.0

    /// Brings it to rest until `moment`; nil until something wakes it.
    ///
    /// A planned start or end is not left to ``restsUntil``, which the release of schema 17 does not know.
    package mutating func rest(until moment: Instant?, at now: Instant) {
        dueAt = moment
        guard let moment else {
            restsUntil = nil
            return
        }
        if moment >= now + Self.longRest, moment != startsAt, moment != endsAt {
            restsUntil = moment
        } else if let kept = restsUntil, kept < moment {
            restsUntil = nil
        }
    }

    /// Takes the moments as a store has them.
    ///
    /// - Parameters:
    ///   - woken: nil if it rests until `distant`.
    package mutating func restore(woken: Instant?, distant: Instant?) {
        (dueAt, restsUntil) = (woken ?? distant, distant)
    }
}

/// The versions declared for everyone that still count.
package struct CommonState: Sendable, Hashable {
    /// The newest state.
    package var state: Version = 0
    /// When that state was true, if the caller says it (R14).
    package var asOf: Instant?
    /// When that state goes stale; nil if it never does, or has, and that was recorded.
    package var staleAt: Instant?
    /// The newest declaration that carries an alert.
    package var alert: Version = 0
    /// The newest declaration that is urgent.
    package var urgent: Version = 0
    package var end: Version?

    package init() {}

    /// The newest state or end.
    package var newest: Version { max(state, end ?? 0) }

    /// The newest state for a card that has one of its own; 0 for none.
    ///
    /// The later version wins, unless both states carry an `asOf`. Then the later truth wins (R14).
    package func newestState(beside own: Version, asOf theirs: Instant?) -> Version {
        guard own > 0, state > 0, let theirs, let asOf, theirs != asOf else { return max(state, own) }
        return theirs > asOf ? own : state
    }

    mutating func take(_ kind: Declaration.Kind, _ version: Version, _ content: Content, asOf: Instant?) {
        switch kind {
        case .state:
            (state, self.asOf) = (version, asOf)
            staleAt = content.staleDate.map(Instant.init(second:))
        case .end: (end, staleAt) = (version, nil)
        }
        if content.alert != nil { alert = version }
        if content.isUrgent { urgent = version }
    }
}

/// Counts of the verdicts on an activity's pushes.
package struct Tally: Sendable, Hashable {
    package var started = 0
    package var accepted = 0
    package var ended = 0
    /// States that a replica never needed because a newer one superseded them.
    package var superseded = 0
    package var alertsSuperseded = 0
    package var alertsExpired = 0
    package var refused = 0
    package var unknown = 0
    package var broadcasts = BroadcastCounts()
    package var ages = AgeHistogram()
    /// Alerts that left with a push that Apple accepted, and those that the push had no room for. They are counted for
    /// the report only and are not stored here.
    package var alertsGiven = 0
    package var alertsWithoutRoom = 0

    package init() {}
}

/// Counts of Apple's answers to broadcasts. Each broadcast counts once, however many cards follow.
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

/// A histogram of how long replicas were behind until Apple accepted their state. Its steps grow by a factor of √2,
/// from 1 ms.
package struct AgeHistogram: Sendable, Hashable {
    package static let steps = 48
    /// Counts by step, up to the last step that is not empty.
    package private(set) var counts: [Int] = []
    /// The longest age, in seconds.
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

    /// The age in seconds up to which a step goes.
    package static func upperBound(of step: Int) -> Double { 0.001 * exp2(Double(step) / 2) }

    /// Adds the counts of another histogram.
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
            if Double(seen) >= share * Double(total) { return min(longest, Self.upperBound(of: step)) }
        }
        return longest
    }
}
