import EyotContract
import EyotDomain
import EyotEngine
import EyotTestKit
import ServiceLifecycle
import Testing

/// A clock that was ahead delays only the cards that carry its seconds, for a bounded and visible time (R7).
@Suite("A clock that was set back", .timeLimit(.minutes(10)))
struct ClockSetBackTests {
    private static let lead = 10_800.0

    /// A node that is alone on its store, for as long as a test needs it.
    private func run(
        _ world: NodeWorld, isAlone: Bool = true, pushing: PushingState? = nil, _ body: () async throws -> Void
    ) async throws {
        let node = world.node("node", isAlone: isAlone, pushing: pushing)
        try await world.run([node], body)
    }

    /// Makes a world in which a clock that was ahead pushed the cards' first state. The clock is set back afterwards.
    private func setBack(by lead: Double = lead) async throws -> NodeWorld {
        let world = NodeWorld()
        world.clock.advance(by: lead)
        try await world.fill()
        try await run(world) { try await world.until { world.hasReached(1) } }
        world.clock.setBack(by: lead)
        return world
    }

    private func isStarted(_ world: NodeWorld) -> Bool { world.pushed.contains { $0.state == 9 } }

    /// No card is pushed twice in a second, or with one that is earlier.
    private func expectRisingSeconds(_ world: NodeWorld) {
        for token in Set(world.pushed.map(\.token)) {
            let seconds = world.pushed.filter { $0.token == token }.map(\.second)
            #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(seconds)")
        }
    }

    @Test func `delays no new card after a restart, and the others until their seconds have passed`() async throws {
        let world = try await setBack()
        let pushing = PushingState(at: world.clock.now)
        let moment = world.clock.now
        try await world.declare(2)
        try await world.start()
        try await run(world, pushing: pushing) {
            try await world.until { isStarted(world) }
            #expect(world.clock.now.seconds(since: moment) < 5)
            try await world.pass(seconds: 30)
            #expect(!world.pushed.contains { $0.state == 2 })
            let status = pushing.status(at: world.clock.now)
            let wait = try #require(status.cardsWaitUntil)
            #expect((10_700...Self.lead + 30).contains(wait.seconds(since: moment)))
            #expect(status.wait == nil)
            #expect((Self.lead - 30...Self.lead).contains(try #require(status.setBack).seconds))
            world.clock.advance(by: Self.lead)
            try await world.until { world.hasReached(2) }
            #expect(pushing.status(at: world.clock.now).cardsWaitUntil == nil)
        }
        expectRisingSeconds(world)
    }

    /// A node that is gone has left a lease that it renewed when its clock was ahead.
    private func leaveLease(of ahead: Instant, in world: NodeWorld) async throws {
        _ = try await world.store.write { ledger in
            let former = try ledger.nodeLease(of: 0)
            let dead = NodeLease(
                owner: NodeID(rawValue: "dead"), epoch: 7, renewedAt: ahead, until: ahead + Double(NodeLease.duration))
            return try ledger.replace(former, by: dead)
        }
    }

    @Test func `is waited for no longer than a lease runs where the process before was killed`() async throws {
        let world = try await setBack()
        let moment = world.clock.now
        try await leaveLease(of: moment + Self.lead, in: world)
        let pushing = PushingState(at: moment)
        try await world.start()
        try await run(world, pushing: pushing) {
            try await world.until { pushing.status(at: world.clock.now).wait == .clockSetBack }
            let until = try #require(pushing.status(at: world.clock.now).until)
            #expect(until.seconds(since: moment) <= Double(NodeLease.duration) + 1)
            try await world.until { isStarted(world) }
            #expect(world.clock.now >= until)
            #expect(pushing.status(at: world.clock.now).wait == nil)
        }
        #expect(world.clock.now.seconds(since: moment) < Double(NodeLease.duration) + 5)
    }

    @Test func `of a node that is gone does not keep another one from pushing`() async throws {
        let world = try await setBack()
        let moment = world.clock.now
        try await leaveLease(of: moment + Self.lead, in: world)
        try await world.start()
        try await run(world, isAlone: false) { try await world.until { isStarted(world) } }
        #expect((12...22).contains(world.clock.now.seconds(since: moment)))
    }

    @Test func `hides nothing that was declared before it was set back`() async throws {
        let world = try await setBack()
        world.clock.advance(by: Self.lead)
        try await world.start()
        world.clock.setBack(by: Self.lead)
        // The hint was for a process that is gone: it is due in the store, three hours ahead.
        let moment = world.clock.now
        try await run(world) { try await world.until { isStarted(world) } }
        #expect(world.clock.now.seconds(since: moment) < 10)
    }

    @Test func `is noticed by a node that runs, which goes on with what is due`() async throws {
        let world = NodeWorld()
        world.clock.advance(by: Self.lead)
        try await world.fill()
        let pushing = PushingState(at: world.clock.now)
        try await run(world, pushing: pushing) {
            try await world.until { world.hasReached(1) }
            try await world.pass(seconds: 3)
            world.clock.setBack(by: Self.lead)
            try await world.until { pushing.status(at: world.clock.now).setBack != nil }
            try await world.start()
            let moment = world.clock.now
            try await world.until { isStarted(world) }
            #expect(world.clock.now.seconds(since: moment) < 5)
            try await world.until {
                guard let lease = try await world.lease else { return false }
                return lease.until.seconds(since: world.clock.now) <= NodeLease.longestLead
            }
        }
        expectRisingSeconds(world)
    }

    @Test func `by more than eight hours delays no card, since iOS has dropped what was dated so`() async throws {
        let world = try await setBack(by: 9 * 3_600)
        let moment = world.clock.now
        try await world.declare(2)
        try await run(world) { try await world.until { world.hasReached(2) } }
        #expect(world.clock.now.seconds(since: moment) < 5)
        try await world.declare(3)
        try await run(world) { try await world.until { world.hasReached(3) } }
        let later = world.pushed.filter { $0.state != 1 }
        #expect(Set(later.map { "\($0.token ?? []) \($0.second)" }).count == later.count)
    }

    @Test func `delays no card that joins a large activity after it`() throws {
        let drive = EngineDrive()
        drive.now = drive.now + Self.lead
        let app = try drive.app("m", cards: 100)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now - Self.lead + 60
        try drive.declare(app)
        try drive.run()
        #expect(drive.pushes.count == 100, "those that carry later seconds wait")
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let device = drive.ledger.insert(.phone("new", in: app.id, environment: .production, at: drive.now))
        var replica = Replica(
            activity: activity.id, ordinal: activity.nextOrdinal, device: device.id, phase: .live, createdAt: drive.now)
        replica.token = PushToken(bytes: [9, 9]).map {
            UpdateToken(token: $0, environment: .production, version: 1, setAt: drive.now)
        }
        drive.ledger.insert(replica)
        activity.nextOrdinal += 1
        activity.wake(at: drive.now)
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        try drive.run()
        #expect(drive.pushes.dropFirst(100).map(\.token) == [[9, 9]])
    }

    @Test func `is measured by what has really gone by`() {
        var watch = ClockWatch()
        let now = Instant(second: 1_000)
        #expect(watch.read(now, uptime: 5) == nil)
        #expect(watch.read(now + 10, uptime: 15) == nil)
        #expect(watch.read(now + 10.5, uptime: 16) == nil, "a correction that is no jump")
        #expect(watch.read(now + 500, uptime: 17) == nil, "one that was set forward")
        let setBack = watch.read(now + 1, uptime: 18)
        #expect(setBack == ClockSetBack(before: now + 501, after: now + 1))
        #expect(setBack?.age(of: now + 499, at: now + 11) == 12)
        #expect(setBack?.age(of: now + 900, at: now + 11) == 10, "from before that is not known")
        #expect(setBack?.age(of: now + 5, at: now + 11) == 6)
    }
}
