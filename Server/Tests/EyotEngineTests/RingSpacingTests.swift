import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Spacing of updates in the ring")
struct RingSpacingTests {
    private static let spacing = 10

    /// Alerts wait for no spacing, and each of them is a push to the page of those who get none.
    @Test(
        "Members who are given alerts again and again do not keep the others of their page waiting",
        arguments: [2.0, 8.0])
    func spaces(declaredAfter seconds: Double) throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 100) { $0.isMultiple(of: 2) ? "even" : "odd" }
        var profile = TypeProfile(app: app.id, type: "T")
        profile.spacing = Self.spacing
        drive.ledger.put(profile)
        try drive.declare(app)
        try drive.run()
        let begin = drive.now
        var reached: [Int: Double] = [:]
        while drive.now < begin + 40, reached.count < 50 {
            drive.now = drive.now + 2
            try alertEven(drive, app)
            if drive.now == begin + seconds { try drive.declare(app) }
            let before = drive.pages.count
            try drive.run()
            for push in drive.pages[before...].joined() where !push.ordinal.isMultiple(of: 2) {
                reached[push.ordinal] = drive.now.seconds(since: begin)
            }
        }
        #expect(reached.count == 50)
        #expect(reached.values.allSatisfy { $0 == Double(Self.spacing) })
    }

    private func alertEven(_ drive: EngineDrive, _ app: App) throws {
        var request = DeclarationRequest(
            verb: .update, name: "m",
            content: Content(
                state: ["n": .integer(1_000)],
                alert: Alert(body: ["title": .string("goal")], expiresAt: drive.now + 300)))
        request.scope = .user("even")
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id)(request)
    }
}
