import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Alerts that have no room beside a state")
struct LargeAlertTests {
    private func update(_ drive: EngineDrive, _ app: App, state bytes: Int, alert: Int? = nil) throws {
        let content = Content(
            state: ["n": .integer(bytes), "text": .string(String(repeating: "s", count: bytes))],
            alert: alert.map {
                Alert(body: ["title": .string(String(repeating: "a", count: $0))], expiresAt: drive.now + 300)
            })
        let request = DeclarationRequest(verb: .update, name: "m", content: content)
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id)(request)
    }

    /// The alert is of the first, the state of the second: each fits by itself.
    @Test("An alert that a newer state leaves no room for is counted as superseded", arguments: [3, 100])
    func leavesOut(cards: Int) throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: cards)
        try update(drive, app, state: 1, alert: 2_000)
        try update(drive, app, state: 3_000)
        try drive.run()
        #expect(drive.pushes.map(\.state) == Array(repeating: 3_000, count: cards))
        #expect(drive.pushes.allSatisfy { $0.title == nil })
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        #expect(activity.tally.alertsSuperseded == cards)
        drive.now = drive.now + 2
        try drive.run()
        #expect(drive.pushes.count == cards, "it does not go again for the alert's sake")
    }
}
