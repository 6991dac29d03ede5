import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("Apps and environments apart")
struct AppsApartTests {
    private func cards(_ tokens: ClosedRange<UInt8>) -> [(token: UInt8, environment: PushEnvironment)] {
        tokens.map { ($0, .sandbox) }
    }

    @Test(
        "An app that Apple refuses is suspended with the reason, and slows no other",
        arguments: APNSReason.allCases.filter { $0.action == .pauseApp })
    func suspends(_ reason: APNSReason) throws {
        let drive = EngineDrive()
        let (broken, sound) = (
            try drive.app("broken", cards: cards(1...100)), try drive.app("sound", cards: cards(101...200))
        )
        drive.verdict = { $0.app == broken.id ? .refused(reason) : .accepted }
        for app in [broken, sound] { try drive.declare(app) }
        try drive.run()
        #expect(drive.ledger.app(broken.id)?.pauses == [.sandbox: AppPause(reason: reason, since: drive.now)])
        #expect(drive.ledger.app(sound.id)?.pauses == [:])
        #expect(drive.pushes.count { $0.app == sound.id } == 100)
        // What was on its way when the reason became known is all that it cost.
        #expect(drive.pushes.count { $0.app == broken.id } == 100)
        for second in 1...20 {
            drive.now = Instant(second: 1_700_000_000 + second)
            for app in [broken, sound] { try drive.declare(app) }
            try drive.run()
            #expect(drive.pushes.count { $0.app == sound.id } == 100 * (second + 1), "at once, second \(second)")
        }
        #expect(drive.pushes.count { $0.app == broken.id } == 100)
        let activity = try #require(drive.ledger.newestActivity(named: "broken", in: broken.id))
        let cards = drive.ledger.replicas(of: activity.id, after: 0, limit: 999)
        #expect(cards.allSatisfy { $0.phase == .live }, "nothing is buried")
    }

    @Test(arguments: [1, 3, 6])
    func `However many apps get no answer, one that does goes on at once`(count: Int) throws {
        var limits = EngineCore.Limits()
        (limits.pushesPerTake, limits.pushesPerApp, limits.pushesInFlight) = (20, 80, 320)
        limits.ringFrom = 1_000
        let drive = EngineDrive(limits: limits)
        let hanging = try (1...count).map { try drive.app("hangs\($0)", cards: 100) }
        drive.hanging = Set(hanging.map(\.id))
        for app in hanging { try drive.declare(app) }
        try drive.run()
        let lost = drive.pushes.count
        #expect(lost > 0)
        #expect(lost <= count * limits.pushesPerApp)
        let sound = try drive.app("sound", cards: 100)
        for second in 1...10 {
            for app in hanging + [sound] { try drive.declare(app) }
            drive.now = drive.now + 1
            try drive.run()
            #expect(drive.pushes.count { $0.app == sound.id } == 100 * second, "second \(second)")
        }
        #expect(drive.pushes.count { $0.app != sound.id } == lost)
    }

    @Test func `What is left for the last of them is enough for a page`() throws {
        var limits = EngineCore.Limits()
        // One by one they take what they may have, and not whole pages.
        limits.ringFrom = 10_000
        let drive = EngineDrive(limits: limits)
        let hanging = try (1...5).map { try drive.app("hangs\($0)", cards: limits.pushesPerApp) }
        drive.hanging = Set(hanging.map(\.id))
        for app in hanging {
            try drive.declare(app)
            try drive.run()
        }
        #expect(limits.pushesInFlight - drive.pushes.count >= PushPage.capacity)
        let sound = try drive.app("sound", cards: 10)
        try drive.declare(sound)
        try drive.run()
        #expect(drive.pushes.count { $0.app == sound.id } == 10)
    }

    @Test func `What is halted is not looked at again and again, and goes on when it is resumed`() throws {
        let drive = EngineDrive()
        let app = try drive.app("halted", cards: cards(1...3))
        var activity = try #require(drive.ledger.newestActivity(named: "halted", in: app.id))
        activity.haltedAt = drive.now
        drive.ledger.update(activity)
        try drive.declare(app)
        try drive.run()
        let takes = drive.takes
        for _ in 1...10 {
            drive.now = drive.now + 1
            try drive.run()
        }
        #expect(drive.takes == takes)
        #expect(drive.pushes == [])
        activity = try #require(drive.ledger.newestActivity(named: "halted", in: app.id))
        activity.haltedAt = nil
        drive.ledger.update(activity)
        try drive.run()
        #expect(drive.pushes.count == 3)
    }

    @Test func `A suspended app is not looked at again and again`() throws {
        let drive = EngineDrive()
        let broken = try drive.app("broken", cards: cards(1...3))
        drive.verdict = { _ in .refused(.invalidProviderToken) }
        try drive.declare(broken)
        try drive.run()
        // In the second after that they would be pushed again: they are passed over.
        drive.now = drive.now + 1
        try drive.run()
        let takes = drive.takes
        for _ in 1...10 {
            drive.now = drive.now + 1
            try drive.run()
        }
        #expect(drive.takes == takes)
    }

    @Test func `A page goes to one environment, with its tokens alone`() throws {
        let drive = EngineDrive()
        let app = try drive.app("mixed", cards: (1...200).map { ($0, $0 % 3 == 0 ? .production : .sandbox) })
        for second in 0...3 {
            drive.now = Instant(second: 1_700_000_000 + second)
            try drive.declare(app)
            try drive.run()
        }
        #expect(drive.pushes.count == 800)
        for page in drive.pages {
            #expect(Set(page.map(\.environment)).count == 1)
            for push in page { #expect((push.token[0] % 3 == 0) == (push.environment == .production)) }
        }
    }
}
