import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("Canaries of large activities")
struct CanaryTests {
    private static let cards = 2_500

    /// Makes an activity with a state that all cards have. The share ends in the middle of a page.
    private func drive() throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: Self.cards) { $0.isMultiple(of: 2) ? "even" : "odd" }
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        return (drive, app)
    }

    private func tryOut(
        _ drive: EngineDrive, _ app: App, percent: Double, alert: String? = nil
    ) throws -> ActivityID {
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let content = content(2, alert: alert, at: drive.now)
        drive.ledger.insert(
            activity.declare(.state, content, on: Canary.Terms(percent: percent, waitSeconds: 30), at: drive.now))
        activity.chooseShare()
        try AdvanceCanary(Transaction(drive.ledger, at: drive.now)).markShare(of: activity)
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        return activity.id
    }

    private func content(_ state: Int, alert: String?, at now: Instant) -> Content {
        Content(
            state: ["n": .integer(state)],
            alert: alert.map { Alert(body: ["title": .string($0)], expiresAt: now + 300) })
    }

    /// Tells every other card something of its own.
    private func tellEven(_ drive: EngineDrive, _ app: App, alert: String? = nil) throws {
        var request = DeclarationRequest(verb: .update, name: "m", content: content(3, alert: alert, at: drive.now))
        request.scope = .user("even")
        var limits = Declare.Limits()
        limits.inlineLimit = Self.cards
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id, limits: limits)(request)
    }

    private func ordinals(_ pages: ArraySlice<[EngineDrive.Push]>) -> [Int] {
        pages.joined().map(\.ordinal).sorted()
    }

    @Test func `A share that ends within a page goes out to the last of its cards, and then the others`() throws {
        let (drive, app) = try drive()
        let id = try tryOut(drive, app, percent: 50)
        let before = drive.pages.count
        try drive.run()
        #expect(ordinals(drive.pages[before...]) == Array(1...1_250))
        #expect(drive.ledger.activity(id)?.canary?.answers.accepted == 1_250)
        let share = drive.pages.count
        drive.now = drive.now + 29
        try drive.run()
        #expect(drive.pages.count == share)
        drive.now = drive.now + 1
        try drive.run()
        #expect(ordinals(drive.pages[share...]) == Array(1_251...Self.cards))
        let rest = drive.pages.count
        drive.now = drive.now + 60
        try drive.run()
        #expect(drive.pages.count == rest)
        #expect((0..<3).allSatisfy { drive.ledger.ringPage($0, of: id)?.seen == 2 })
        #expect(drive.ledger.replicas(of: id, after: 0, limit: .max).allSatisfy { $0.acceptedVersion == 2 })
    }

    @Test func `Its operation is under way until everybody has it`() throws {
        let (drive, app) = try drive()
        let id = try tryOut(drive, app, percent: 50)
        let operation = drive.ledger.insert(
            Operation(
                app: app.id, verb: .update, name: "m", activity: id, generation: 1, version: 2, outcome: .applied,
                acceptedAt: drive.now))
        try drive.run()
        let waiting = try #require(drive.ledger.operation(operation.id, in: app.id))
        #expect(waiting.completion == nil)
        #expect(waiting.state(in: drive.ledger.activity(id)) == .delivering)
        drive.now = drive.now + 30
        try drive.run()
        let done = try #require(drive.ledger.operation(operation.id, in: app.id))
        #expect(done.state(in: drive.ledger.activity(id)) == .done)
    }

    /// R4: what a page brings counts for all on it, and half of them has not been told anything.
    @Test(arguments: [nil, "Own"])
    func `Its alert is heard by all others, unless they were given a newer one meanwhile`(own: String?) throws {
        let (drive, app) = try drive()
        _ = try tryOut(drive, app, percent: 10, alert: "Goal")
        try drive.run()
        for _ in 0..<2 {
            drive.now = drive.now + 5
            try tellEven(drive, app, alert: own)
            try drive.run()
        }
        try tellEven(drive, app)
        drive.now = drive.now + 5
        try drive.run()
        drive.now = drive.now + 30
        try drive.run()
        let heard = drive.pushes.filter { $0.title == "Goal" }.map(\.ordinal).sorted()
        #expect(heard == (own == nil ? Array(1...Self.cards) : (1...Self.cards).filter { $0 <= 250 || $0 % 2 == 1 }))
    }

    @Test func `A canary that Apple refuses stops within what is in flight, and says why`() throws {
        let (drive, app) = try drive()
        drive.verdict = { _ in .refused(.payloadTooLarge) }
        let id = try tryOut(drive, app, percent: 50)
        let before = drive.pages.count
        try drive.run()
        let pushed = ordinals(drive.pages[before...])
        #expect(!pushed.isEmpty && pushed.allSatisfy { $0 <= 1_250 })
        let activity = try #require(drive.ledger.activity(id))
        #expect(activity.canary?.hasFailed == true)
        #expect(drive.ledger.app(app.id)?.halt(of: activity)?.reason?.contains("version 2 failed") == true)
        let halts = drive.ledger.events(of: app.id, about: .activity(id), after: 0, limit: .max).map(\.fact)
            .filter { $0.kind == .activityHalted }
        #expect(halts == [Fact(.activityHalted, version: 2, reason: "canary")])
        drive.now = drive.now + 3_600
        try drive.run()
        #expect(ordinals(drive.pages[before...]) == pushed)
    }
}
