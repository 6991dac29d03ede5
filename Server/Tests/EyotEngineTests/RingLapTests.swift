import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("A lap of the ring")
struct RingLapTests {
    private func activity(_ drive: EngineDrive, _ app: App) throws -> Activity {
        try #require(drive.ledger.newestActivity(named: app.name, in: app.id))
    }

    private func run(_ drive: EngineDrive, times: Int, every seconds: Double) throws {
        for _ in 1...times {
            try drive.run()
            drive.now = drive.now + seconds
        }
    }

    @Test func `Whoever was up to date on a page that is on its way gets what is declared meanwhile`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 100)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        // Twenty are behind, and Apple knows their tokens no more.
        let id = try activity(drive, app).id
        for ordinal in 1...20 {
            var replica = try #require(drive.ledger.replica(ordinal, of: id))
            replica.acceptedVersion = 0
            drive.ledger.update(replica)
        }
        drive.ledger.woken.insert(id)
        var isDeclared = false
        drive.verdict = { push in
            if !isDeclared { _ = try? drive.declare(app) }
            isDeclared = true
            return push.ordinal <= 20 ? .refused(.unregistered) : .accepted
        }
        let before = drive.pushes.count
        try run(drive, times: 3, every: 1)
        let states = Set(drive.pushes[(before + 20)...].map { "\($0.ordinal): \($0.state ?? 0)" })
        #expect(states == Set((21...100).map { "\($0): 1" }))
    }

    @Test func `A transaction reads no more replicas than it may, members of the ring or not`() throws {
        var limits = EngineCore.Limits()
        limits.replicasPerTake = 1_000
        let drive = EngineDrive(limits: limits)
        let app = try drive.app("m", cards: 5_000)
        var activity = try activity(drive, app)
        for ordinal in 1...5_000 {
            var replica = try #require(drive.ledger.replica(ordinal, of: activity.id))
            (replica.phase, replica.token) = (.waitingForToken, nil)
            drive.ledger.update(replica)
        }
        try drive.declare(app)
        try drive.run()
        #expect(drive.takes >= 5)
        activity = try #require(drive.ledger.activity(activity.id))
        #expect(activity.dueAt.map { $0 > drive.now } ?? true, "it has come to rest")
    }

    @Test func `A page goes to the environment that most are of, wherever they stand on it`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 1_000, environment: { $0 == 1 ? .sandbox : .production })
        try drive.declare(app)
        try drive.run()
        #expect(drive.pushes.count == 1_000)
        let activity = try activity(drive, app)
        let page = try #require(drive.ledger.ringPage(1, of: activity.id) ?? drive.ledger.ringPage(0, of: activity.id))
        #expect(page.credit.accepted == 1, "it was settled as a whole")
    }

    @Test func `Somebody who waits for nothing any more keeps no operation open`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 100)
        drive.verdict = { $0.ordinal == 7 ? .refused(.serviceUnavailable) : .accepted }
        try drive.declare(app)
        try run(drive, times: 9, every: 2)
        // Its pause is long by now, and what is newer goes at once.
        drive.verdict = { _ in .accepted }
        try drive.declare(app)
        try run(drive, times: 3, every: 1)
        #expect(drive.pushes.filter { $0.state == 1 }.count == 100)
        let activity = try activity(drive, app)
        #expect(!drive.ledger.ringOwes(of: activity.id, from: 0))
        #expect(activity.dueAt.map { $0 > drive.now + 3_600 } ?? true, "nobody is waited for")
    }

    @Test func `A page whose time comes in the middle of a lap is not missed by it`() throws {
        var limits = EngineCore.Limits()
        limits.pushesPerTake = 1_000
        let drive = EngineDrive(limits: limits)
        let app = try drive.app("m", cards: 3_000)
        drive.verdict = { $0.ordinal == 2_500 ? .refused(.serviceUnavailable) : .accepted }
        try drive.declare(app)
        try run(drive, times: 8, every: 1)
        let id = try activity(drive, app).id
        let pause = try #require(drive.ledger.replica(2_500, of: id)?.retry).notBefore
        #expect(pause > drive.now + 1, "the last page waits for that")
        drive.ledger.woken.insert(id)
        try drive.run()
        #expect(drive.ledger.ringPage(2, of: id)?.seen == 1)
        var isFirst = true
        drive.verdict = { _ in
            // The first page is on its way, and the others are still to be looked at.
            if isFirst { drive.now = max(drive.now, pause) }
            isFirst = false
            return .accepted
        }
        try drive.declare(app)
        try run(drive, times: 3, every: 1)
        let reached = Set(drive.pushes.filter { $0.state == 1 }.map(\.ordinal))
        #expect(reached.count == 3_000, "\(reached.count)")
    }

    private static func onePageAtATime() -> EngineDrive {
        var limits = EngineCore.Limits()
        limits.pushesPerTake = RingPage.capacity
        return EngineDrive(limits: limits)
    }

    @Test func `Declarations and crashes that come faster than laps leave nobody behind for ever`() throws {
        let drive = Self.onePageAtATime()
        let app = try drive.app("m", cards: 5 * RingPage.capacity)
        for _ in 1...6 {
            try drive.declare(app)
            try drive.run(upToTakes: 3)
            drive.restart()
            drive.now = drive.now + 2
        }
        #expect(Set(drive.pushes.map(\.ordinal)).count == 5 * RingPage.capacity)
    }

    @Test func `A lap that broke off is followed by one for what was declared since`() throws {
        let drive = Self.onePageAtATime()
        let app = try drive.app("m", cards: 3 * RingPage.capacity)
        try drive.declare(app)
        try drive.run(upToTakes: 3)
        drive.restart()
        try drive.declare(app)
        drive.now = drive.now + 2
        try run(drive, times: 2, every: 2)
        let newest = Set(drive.pushes.filter { $0.state == 1 }.map(\.ordinal))
        #expect(newest.count == 3 * RingPage.capacity)
    }

    @Test func `Declarations that come faster than laps reach all pages in turn`() throws {
        let drive = Self.onePageAtATime()
        let count = 5
        let app = try drive.app("m", cards: count * RingPage.capacity)
        var (taken, isNew) = (0, true)
        drive.verdict = { push in
            if push.ordinal % RingPage.capacity == 1 { isNew = true }
            guard isNew else { return .accepted }
            // A page takes a second, and something is declared every two.
            (isNew, taken) = (false, taken + 1)
            drive.now = drive.now + 1
            if taken % 2 == 0, taken < 30 { _ = try? drive.declare(app) }
            return .accepted
        }
        try drive.declare(app)
        try drive.run()
        let order = drive.pages.map { RingPage.number(of: $0[0].ordinal) }
        #expect(order.count >= 30)
        for start in 0..<30 - count {
            #expect(Set(order[start..<start + count]).count == count, "from \(start): \(order)")
        }
    }
}
