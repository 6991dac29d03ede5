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
        #expect(drive.pushes.count { $0.isMadeUp } == 100)
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
        lane.take(10, at: now)
        #expect(lane.left(at: now) == 0)
        lane.settle([.refused(.badDeviceToken), .refused(.unregistered)], at: now)
        #expect(lane.left(at: now) == 0)
        lane.settle([.accepted, .refused(.serviceUnavailable), .notProcessed], at: now)
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
        #expect(lanes[Trial(of: one, in: .sandbox)].left(at: now) == 1)
        #expect(lanes[Trial(of: one, in: .production)].left(at: now) == 10_000)
        #expect(lanes[Trial(of: other, in: .sandbox)].left(at: now) == 10_000)
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
