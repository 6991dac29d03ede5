import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// The counts of updated and ended cards, of an activity that goes by pages of the ring.
@Suite("Cards by their phones")
struct CardCountTests {
    private static let cards = RingPage.capacity + 200

    /// An activity of which each third card is on a phone in the sandbox.
    private func drive() throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        return (drive, try drive.app("match", cards: Self.cards, environment: { $0 % 3 == 0 ? .sandbox : .production }))
    }

    private func numbers(_ drive: EngineDrive) -> KeptNumbers {
        let counted = drive.ledger.counted
        return KeptNumbers(
            counted.values.map { KeptCount($0.key, $0.value) } + counted.spans.flatMap { $0.value.counts(at: $0.key) })
    }

    private func expect(_ counter: KeptCounter, sandbox: Int, production: Int, _ drive: EngineDrive) {
        let numbers = numbers(drive)
        #expect(numbers.total(counter) == sandbox + production)
        let environments = ["sandbox": sandbox, "production": production].filter { $0.value != 0 }
        #expect(numbers[counter.by(.environment)] == environments)
        #expect(numbers.total(counter.by(.build)) == sandbox + production)
    }

    @Test func `Each card counts at the first update that Apple accepts`() throws {
        let (drive, app) = try drive()
        drive.verdict = { [3, 4, 1_100].contains($0.ordinal) ? .refused(.internalServerError) : .accepted }
        try drive.declare(app)
        try drive.run()
        expect(.updated, sandbox: Self.cards / 3 - 1, production: Self.cards - Self.cards / 3 - 2, drive)
        drive.verdict = { _ in .accepted }
        for _ in 1...3 {
            drive.now = drive.now + 10
            try drive.declare(app)
            try drive.run()
            expect(.updated, sandbox: Self.cards / 3, production: Self.cards - Self.cards / 3, drive)
        }
        #expect(numbers(drive).total(.accepted) > 3 * Self.cards)
        expect(.over, sandbox: 0, production: 0, drive)
    }

    @Test func `Each card that an accepted end ends counts, and an end makes no card updated`() throws {
        let (drive, app) = try drive()
        drive.verdict = { [3, 4].contains($0.ordinal) ? .refused(.internalServerError) : .accepted }
        var activity = try #require(drive.ledger.newestActivity(named: app.name, in: app.id))
        drive.ledger.insert(activity.declare(.end, Content(), at: drive.now))
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
        try drive.run()
        expect(.over, sandbox: Self.cards / 3 - 1, production: Self.cards - Self.cards / 3 - 1, drive)
        drive.verdict = { _ in .accepted }
        drive.now = drive.now + 10
        try drive.run()
        expect(.over, sandbox: Self.cards / 3, production: Self.cards - Self.cards / 3, drive)
        expect(.updated, sandbox: 0, production: 0, drive)
    }
}
