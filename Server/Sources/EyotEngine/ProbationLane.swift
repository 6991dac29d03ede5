import APNSWire
import EyotDomain

/// The room for pushes to tokens that Apple has not accepted yet, in one environment of an app (R8).
///
/// **Problem.** An app's public key is enough to register phones with made-up tokens. Apple counts pushes to bad tokens
/// against an app, and the phones of an app's launch have tokens that never worked either.
///
/// **Approach.** Each push to such a token takes a place here, and a refusal keeps the place. Kept places come back
/// slowly. An acceptance gives two places back, so an honest launch never waits. Pushes to tokens that Apple has
/// accepted take no place.
///
/// While refusals keep four fifths of the places, blocks of neighbouring cards are judged (``ProbationBlock``):
///
///     other places  all ──── 1/5 ──── 1/20 ──── 0
///     of a block    64        2         1            members leave first
///
/// If Apple accepts a quarter of them, four times as many leave next. Otherwise the others of the block wait for the
/// places that come back: a few blocks at a time, those without a judgement first, then those beside real phones, then
/// the newest.
///
/// **Why it is right.** Phones that registered together have places side by side. So a few pushes find a block of real
/// phones among any number of blocks with made-up tokens, and blocks of newcomers do not queue behind older ones.
package struct ProbationLane: Sendable, Hashable {
    /// The size of a lane.
    package struct Limits: Sendable, Hashable {
        /// The places of a lane that is empty. Apple publishes no figure. Apps with millions of phones usually have
        /// more refusals at a time.
        package var places = 30_000
        /// Kept places that come back in a second.
        package var perSecond = 500.0

        package init() {}
    }

    /// The share of other places below which blocks are judged, and below which the last places are kept for blocks
    /// that promise something.
    private static let (judged, last) = (0.2, 0.05)
    /// The most blocks with a judgement. Further blocks leave by the places that come back.
    private static let blockLimit = 50_000
    /// Seconds after which a block that waited is forgotten, if no look has met it again.
    private static let memory = 5.0

    private let limits: Limits
    /// The free places at ``countedAt``.
    private var free: Double
    private var countedAt = Instant(microseconds: 0)
    /// Pushes with a place that have no answer yet.
    private var underWay = 0
    private var standings: [ProbationBlock: ProbationBlock.Standing] = [:]
    private var waiting = WaitingBlocks()

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

    /// Whether a push to a card may leave now, if `others` leave before it.
    func admits(_ ordinal: Int, of activity: ActivityID, beside others: Int = 0, at now: Instant) -> Bool {
        let left = left(at: now) - Double(others)
        guard left >= 1 else { return false }
        let share = unkept(at: now)
        guard share < Self.judged else { return true }
        let block = ProbationBlock(of: ordinal, in: activity)
        let standing = standings[block]
        if standing == nil, standings.count >= Self.blockLimit { return waiting.contains(block) }
        let quota = standing?.quota ?? (share >= Self.last ? 2 : 1)
        if ProbationBlock.rank(of: ordinal) < quota { return true }
        return waiting.contains(block) && (share >= Self.last || promise(of: block) != .none)
    }

    /// The share of places that no refusal keeps.
    private func unkept(at now: Instant) -> Double { (left(at: now) + Double(underWay)) / Double(limits.places) }

    /// How a block that has to wait stands.
    func waiting(_ ordinal: Int, of activity: ActivityID, at now: Instant) -> ProbationBlock.Waiting {
        let block = ProbationBlock(of: ordinal, in: activity)
        return ProbationBlock.Waiting(block: block, promise: promise(of: block), at: now)
    }

    private func promise(of block: ProbationBlock) -> ProbationBlock.Promise {
        guard standings[block] != nil else { return .unjudged }
        let hasReal = block.neighbourhood.contains { standings[$0]?.hasReal == true }
        return hasReal ? .besideReal : .none
    }

    /// Notes blocks that a look has met waiting.
    mutating func note(_ blocks: WaitingBlocks) { waiting.insert(blocks) }

    /// Takes places, whether they are free or not.
    mutating func take(_ count: Int, at now: Instant) {
        add(-Double(count), at: now)
        underWay += count
    }

    /// Notes that a member of a block leaves. The block is next again if members still wait.
    mutating func leave(_ block: ProbationBlock) { waiting.remove(block) }

    /// Applies Apple's verdicts on pushes that have a place.
    mutating func settle(_ answers: some Sequence<(block: ProbationBlock, verdict: PushVerdict)>, at now: Instant) {
        let judges = unkept(at: now) < Self.judged
        var returned = 0.0
        for (block, verdict) in answers {
            underWay = max(0, underWay - 1)
            returned += verdict.returnedPlaces
            guard judges, standings.count < Self.blockLimit || standings[block] != nil else { continue }
            if verdict == .accepted { standings[block, default: .init()].accepted += 1 }
            if verdict.isRefusalOfToken { standings[block, default: .init()].refused += 1 }
        }
        add(returned, at: now)
        waiting.forget(after: Self.memory, at: now)
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
    fileprivate var returnedPlaces: Double { self == .accepted ? 2 : isRefusalOfToken ? 0 : 1 }

    fileprivate var isRefusalOfToken: Bool {
        switch reason?.action {
        case .buryToken, .suspectToken: true
        default: false
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
        let blocks = page.unproven.map(\.block)
        guard !blocks.isEmpty else { return }
        change(page.place, at: now) { lane in
            lane.take(blocks.count, at: now)
            for block in blocks { lane.leave(block) }
        }
    }

    /// Applies the verdicts of a page.
    mutating func settle(_ page: TakenPage, _ verdicts: PageVerdicts, at now: Instant) {
        let unproven = page.unproven
        guard !unproven.isEmpty else { return }
        change(page.place, at: now) {
            $0.settle(unproven.map { (block: $0.block, verdict: verdicts.verdicts[$0.slot]) }, at: now)
        }
    }

    /// Notes blocks that a look has met waiting.
    mutating func note(_ waiting: [Trial: WaitingBlocks], at now: Instant) {
        for (place, blocks) in waiting { change(place, at: now) { $0.note(blocks) } }
    }
}

extension TakenPage {
    /// The app and environment that the page's pushes belong to.
    var place: Trial { Trial(of: app, in: page.environment) }

    /// Its pushes to tokens that Apple has not accepted yet.
    fileprivate var unproven: [(slot: Int, block: ProbationBlock)] {
        guard sent.contains(where: \.isUnproven) else { return [] }
        return runs.flatMap { run in
            run.slots.lazy.filter { sent[$0].isUnproven }
                .map { ($0, ProbationBlock(of: sent[$0].ordinal, in: run.activity)) }
        }
    }
}
