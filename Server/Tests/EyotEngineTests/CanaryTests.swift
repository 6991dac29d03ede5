import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("Canaries of large activities")
struct CanaryTests {
    private static let cards = 2_500

    /// An activity of which the share ends in the middle of a page, with a state that everybody has.
    private func drive() throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: Self.cards)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        return (drive, app)
    }

    private func tryOut(_ drive: EngineDrive, _ app: App, percent: Double) throws -> ActivityID {
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        drive.ledger.insert(
            activity.declare(
                .state, Content(state: ["n": 2]), on: Canary.Terms(percent: percent, waitSeconds: 30), at: drive.now))
        activity.chooseShare()
        try TendCanary(ledger: drive.ledger, now: drive.now).markShare(of: activity)
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        return activity.id
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
        #expect(drive.ledger.replicas(of: id, after: 0, limit: .max).allSatisfy { $0.accepted == 2 })
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
        drive.now = drive.now + 3_600
        try drive.run()
        #expect(ordinals(drive.pages[before...]) == pushed)
    }
}
