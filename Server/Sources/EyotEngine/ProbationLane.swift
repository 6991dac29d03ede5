import APNSWire
import EyotDomain

/// The room for pushes to tokens that Apple has not accepted yet, in one environment of an app (R8).
///
/// An app's public key is enough to register phones with made-up tokens. Each push to such a token takes a place here,
/// and a refusal keeps the place. Kept places come back slowly. An acceptance gives two places back, so an honest
/// launch never waits. Pushes to tokens that Apple has accepted take no place.
package struct ProbationLane: Sendable, Hashable {
    /// The size of a lane.
    package struct Limits: Sendable, Hashable {
        /// The places of a lane that is empty.
        package var places = 10_000
        /// Kept places that come back in a second.
        package var perSecond = 100.0

        package init() {}
    }

    private let limits: Limits
    /// The free places at ``countedAt``.
    private var free: Double
    private var countedAt = Instant(microseconds: 0)

    init(_ limits: Limits) {
        self.limits = limits
        free = Double(limits.places)
    }

    /// The free places. A clock that was set back brings none back.
    func left(at now: Instant) -> Double {
        min(Double(limits.places), free + max(0, now.seconds(since: countedAt)) * limits.perSecond)
    }

    /// Whether all places are free.
    func isUnused(at now: Instant) -> Bool { left(at: now) >= Double(limits.places) }

    /// Takes places, whether they are free or not.
    mutating func take(_ count: Int, at now: Instant) { add(-Double(count), at: now) }

    /// Applies Apple's verdicts on pushes that have a place.
    mutating func settle(_ verdicts: some Sequence<PushVerdict>, at now: Instant) {
        add(verdicts.reduce(0) { $0 + $1.returnedPlaces }, at: now)
    }

    private mutating func add(_ count: Double, at now: Instant) {
        free = min(Double(limits.places), left(at: now) + count)
        countedAt = now
    }

    /// When a push that found no place may look again, if `others` wait before it.
    func moment(behind others: Int, at now: Instant) -> Instant {
        now + max(1, (1 - left(at: now) + Double(others)) / limits.perSecond)
    }
}

extension PushVerdict {
    /// How many places a push gives back. A refusal that does not concern the token says nothing about it.
    fileprivate var returnedPlaces: Double {
        guard self != .accepted else { return 2 }
        return switch reason?.action {
        case .buryToken, .suspectToken: 0
        default: 1
        }
    }
}

/// The lanes of all apps. Only those that are in use are stored.
package struct ProbationLanes: Sendable, Hashable {
    private let limits: ProbationLane.Limits
    private var used: [Trial: ProbationLane] = [:]

    package init(_ limits: ProbationLane.Limits = ProbationLane.Limits()) { self.limits = limits }

    /// The lane of an environment of an app.
    subscript(place: Trial) -> ProbationLane { used[place] ?? ProbationLane(limits) }

    /// Changes a lane.
    mutating func change(_ place: Trial, at now: Instant, _ change: (inout ProbationLane) -> Void) {
        var lane = self[place]
        change(&lane)
        used[place] = lane.isUnused(at: now) ? nil : lane
    }

    /// Takes the places of a page that leaves.
    mutating func take(_ page: TakenPage, at now: Instant) {
        let count = page.sent.count(where: \.isUnproven)
        if count > 0 { change(page.place, at: now) { $0.take(count, at: now) } }
    }

    /// Applies the verdicts of a page.
    mutating func settle(_ page: TakenPage, _ verdicts: PageVerdicts, at now: Instant) {
        let own = zip(page.sent, verdicts.verdicts).filter(\.0.isUnproven).map(\.1)
        if !own.isEmpty { change(page.place, at: now) { $0.settle(own, at: now) } }
    }
}

extension TakenPage {
    /// The app and environment that the page's pushes belong to.
    var place: Trial { Trial(of: app, in: page.environment) }
}
