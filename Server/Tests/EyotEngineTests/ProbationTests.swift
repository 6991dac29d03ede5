import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("The lane of unproven tokens (R8)")
struct ProbationTests {
    /// A drive with lanes of 100 places, of which ten come back in a second.
    private func narrowDrive() -> EngineDrive {
        var limits = EngineCore.Limits()
        (limits.probation.places, limits.probation.perSecond) = (100, 10)
        let drive = EngineDrive(limits: limits)
        drive.verdict = { $0.isMadeUp ? .refused(.unregistered) : .accepted }
        return drive
    }

    private func pass(_ seconds: Int, _ drive: EngineDrive) throws -> [Int] {
        try (1...seconds).map { _ in
            let before = drive.pushes.count
            drive.now = drive.now + 1
            try drive.run()
            return drive.pushes.count - before
        }
    }

    @Test func `Made-up tokens leave slowly once a lane is full, and proven ones do not wait for them`() throws {
        let drive = narrowDrive()
        let app = try drive.app("m", cards: 1_500)
        let id = try #require(drive.ledger.newestActivity(named: app.name, in: app.id)).id
        try drive.declare(app)
        for ordinal in 1_401...1_500 {
            var replica = try #require(drive.ledger.replica(ordinal, of: id))
            replica.acceptedVersion = 1
            drive.ledger.update(replica)
        }
        try drive.declare(app)
        try drive.run()
        #expect((80...100).contains(drive.pushes.count { $0.isMadeUp }))
        #expect(drive.pushes.count { !$0.isMadeUp } == 100)
        let later = try pass(30, drive)
        #expect((250...310).contains(later.reduce(0, +)), "\(later)")
        try drive.declare(app)
        let before = drive.pushes.count { !$0.isMadeUp }
        _ = try pass(2, drive)
        #expect(drive.pushes.count { !$0.isMadeUp } == before + 100)
        let all = try pass(200, drive)
        #expect(Set(drive.pushes.filter(\.isMadeUp).map(\.ordinal)).count == 1_400, "\(all)")
    }

    /// How real phones and made-up tokens registered.
    enum Arrangement: CaseIterable {
        case realLast, realFirst, inTurns, mixed

        func isReal(_ ordinal: Int, real: Int, of all: Int) -> Bool {
            switch self {
            case .realLast: ordinal > all - real
            case .realFirst: ordinal <= real
            case .inTurns: (ordinal - 1) / 500 % (all / real) == 0
            case .mixed: ordinal * 7_919 % all < real
            }
        }
    }

    /// Seconds until the real phones of a start have left, or a part of them, with as many pushes under way at a time
    /// as an app may have.
    private func seconds(
        untilLeft part: Double, of real: Int, among all: Int, _ arrangement: Arrangement
    ) -> Int? {
        var lane = ProbationLane(ProbationLane.Limits())
        let activity = ActivityID(rawValue: 1)
        var waiting = Array(1...all)
        var left = 0
        for second in 0..<600 {
            let now = Instant(second: 1_000) + Double(second)
            var answers: [(block: ProbationBlock, verdict: PushVerdict)] = []
            var (next, served) = (WaitingBlocks(), Set<ProbationBlock>())
            waiting.removeAll { ordinal in
                guard lane.admits(ordinal, of: activity, at: now) else {
                    next.insert(lane.waiting(ordinal, of: activity, at: now))
                    return false
                }
                lane.take(1, at: now)
                served.insert(ProbationBlock(of: ordinal, in: activity))
                let isReal = arrangement.isReal(ordinal, real: real, of: all)
                if isReal { left += 1 }
                answers.append(
                    (ProbationBlock(of: ordinal, in: activity), isReal ? .accepted : .refused(.badDeviceToken)))
                if answers.count == 4_000 {
                    lane.settle(answers, at: now)
                    answers = []
                }
                return true
            }
            lane.settle(answers, at: now)
            for block in served { lane.leave(block) }
            lane.note(next)
            if Double(left) >= part * Double(real) { return second }
        }
        return nil
    }

    @Test(arguments: Arrangement.allCases)
    func `Newcomers leave within seconds, wherever 24,000 made-up tokens stand`(arrangement: Arrangement) throws {
        let found = try #require(seconds(untilLeft: 1, of: 20, among: 24_020, arrangement))
        #expect(found <= 1)
    }

    @Test(arguments: [(Arrangement.realLast, 1.0), (.realFirst, 1), (.inTurns, 0.9)])
    func `A launch of 10,000 phones loses seconds by 100,000 made-up tokens`(
        arrangement: Arrangement, part: Double
    ) throws {
        let found = try #require(seconds(untilLeft: part, of: 10_000, among: 110_000, arrangement))
        #expect(found <= 6)
    }

    @Test func `Of blocks that several looks have met the newest are next, until a member has left`() {
        let (activity, now) = (ActivityID(rawValue: 1), Instant(second: 1_000))
        var lane = ProbationLane(ProbationLane.Limits())
        var (blocks, earlier) = (WaitingBlocks(), WaitingBlocks())
        for number in 1...20 { blocks.insert(lane.waiting(number * 64, of: activity, at: now)) }
        earlier.insert(lane.waiting(64, of: activity, at: now))
        lane.note(blocks)
        lane.note(earlier)
        // Refusals keep all places but 2,000.
        lane.take(28_000, at: now)
        let block = ProbationBlock(of: 1, in: ActivityID(rawValue: 2))
        lane.settle(
            repeatElement((block: block, verdict: PushVerdict.refused(.unregistered)), count: 28_000), at: now)
        func next() -> [Int] { (1...20).filter { lane.admits($0 * 64, of: activity, at: now) } }
        #expect(next() == Array(13...20))
        lane.leave(ProbationBlock(of: 20 * 64, in: activity))
        #expect(next() == Array(13...19))
    }

    @Test func `A launch to phones that nobody knows yet leaves as quickly as without a lane`() throws {
        let drive = narrowDrive()
        drive.verdict = { _ in .accepted }
        let app = try drive.app("m", cards: 60)
        try drive.declare(app)
        try drive.run()
        #expect(drive.pushes.count == 60)
    }

    @Test func `Acceptances give back more than they took, refusals of a token nothing, other answers the place`() {
        var limits = ProbationLane.Limits()
        (limits.places, limits.perSecond) = (10, 1)
        var lane = ProbationLane(limits)
        let now = Instant(second: 1_000)
        func settle(_ verdicts: PushVerdict...) {
            let block = ProbationBlock(of: 1, in: ActivityID(rawValue: 1))
            lane.settle(verdicts.map { (block: block, verdict: $0) }, at: now)
        }
        lane.take(10, at: now)
        #expect(lane.left(at: now) == 0)
        settle(.refused(.badDeviceToken), .refused(.unregistered))
        #expect(lane.left(at: now) == 0)
        settle(.accepted, .refused(.serviceUnavailable), .notProcessed)
        #expect(lane.left(at: now) == 4)
        #expect(lane.left(at: now + 3) == 7)
        #expect(lane.left(at: now + -100) == 4)
        #expect(lane.isUnused(at: now + 6))
    }

    @Test func `One environment and one app take no place of another`() {
        var lanes = ProbationLanes()
        let (one, other) = (AppID(rawValue: 1), AppID(rawValue: 2))
        let now = Instant(second: 1_000)
        lanes.change(Trial(of: one, in: .sandbox), at: now) { $0.take(9_999, at: now) }
        let all = Double(ProbationLane.Limits().places)
        #expect(lanes[Trial(of: one, in: .sandbox)].left(at: now) == all - 9_999)
        #expect(lanes[Trial(of: one, in: .production)].left(at: now) == all)
        #expect(lanes[Trial(of: other, in: .sandbox)].left(at: now) == all)
    }

    @Test func `A start by a token that Apple has accepted passes a lane that has no room`() throws {
        let drive = narrowDrive()
        let app = try drive.app("m", cards: 1)
        let phone = try #require(drive.ledger.newestActivity(named: app.name, in: app.id)).id
        var started = try #require(drive.ledger.replica(1, of: phone))
        let token = try #require(PushToken(bytes: [7]))
        drive.ledger.put(
            StartToken(
                device: started.device, type: "T", token: token, environment: .production, setAt: drive.now), in: app.id
        )
        #expect(try !drive.ledger.isStartTokenProven(of: started))
        (started.acceptedVersion, started.startsAt) = (1, drive.now + 1)
        drive.ledger.update(started)
        #expect(try drive.ledger.isStartTokenProven(of: started))
    }
}

extension EngineDrive.Push {
    fileprivate var isMadeUp: Bool { ordinal <= 1_400 }
}
