import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// A newest state that passes its stale date is an event, once, also after a restart.
@Suite("States that go stale")
struct StaleTests {
    private let drive = EngineDrive()

    /// Declares a state that is stale after some seconds; nil for never.
    private func declare(_ app: App, staleAfter seconds: Int?, on terms: Canary.Terms? = nil) throws {
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let content = Content(
            state: ["n": .integer(activity.version)], staleDate: seconds.map { drive.now.second + $0 })
        drive.ledger.insert(activity.declare(.state, content, on: terms, at: drive.now))
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        try drive.run()
    }

    private func pass(_ seconds: Double) throws {
        drive.now = drive.now + seconds
        try drive.run()
    }

    /// The versions that went stale, oldest first.
    private func stale(_ app: App) -> [Version] {
        drive.ledger.newestEvents(of: app.id, about: .app, before: .max, limit: 100)
            .filter { $0.fact.kind == .activityStale }.map(\.fact.version).reversed()
    }

    @Test("It is recorded once, when the moment comes", arguments: [1, 90])
    func once(_ cards: Int) throws {
        let app = try drive.app("m", cards: cards)
        try declare(app, staleAfter: 60)
        try pass(59)
        #expect(stale(app) == [])
        try pass(1)
        #expect(stale(app) == [1])
        drive.restart()
        try pass(600)
        #expect(stale(app) == [1])
        try declare(app, staleAfter: 60)
        try declare(app, staleAfter: nil)
        try pass(600)
        #expect(stale(app) == [1], "a newer state came in time")
    }

    @Test func `A state that an end superseded does not go stale`() throws {
        let app = try drive.app("m", cards: 1)
        try declare(app, staleAfter: 60)
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        drive.ledger.insert(activity.declare(.end, Content(), at: drive.now))
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        try pass(600)
        #expect(stale(app) == [])
    }

    @Test func `A state that a canary tries counts when it is for everyone`() throws {
        let app = try drive.app("m", cards: 4)
        try declare(app, staleAfter: 3_600)
        let terms = Canary.Terms(percent: 25, maximumRefusals: 0, waitSeconds: 100)
        try declare(app, staleAfter: 60, on: terms)
        try pass(60)
        #expect(stale(app) == [])
        for _ in 1...5 { try pass(100) }
        #expect(stale(app) == [2])
    }
}
