import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Suspicion: dead tokens, or an app that is set up wrongly (R8)")
struct SuspicionTests {
    /// Cards of an app that fill several pages.
    private static let many = 4_400

    private func isQuarantined(_ replica: Replica) -> Bool {
        guard case .dead(let death) = replica.phase else { return false }
        return death.isQuarantine && death.reason == .badDeviceToken
    }

    /// Makes Apple refuse cards of this kind in both environments.
    private func refuse(_ drive: EngineDrive, _ isRefused: @escaping (Int) -> Bool) {
        drive.verdict = { isRefused($0.ordinal) ? .refused(.badDeviceToken) : .accepted }
    }

    @Test func `Fewer dead tokens than one in twenty never suspend an app, wherever they stand on their pages`() throws
    {
        let drive = EngineDrive()
        let app = try drive.app("large", cards: Self.many)
        refuse(drive) { $0 % 22 == 0 }
        try drive.declare(app)
        try run(drive)
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        let activity = try #require(drive.ledger.newestActivity(named: "large", in: app.id))
        let cards = drive.ledger.replicas(of: activity.id, after: 0, limit: Self.many)
        #expect(cards.count(where: isQuarantined) == Self.many / 22, "each was probed once, and set aside")
        #expect(drive.pushes.count == Self.many + Self.many / 22)
    }

    @Test func `An app that is resumed is not suspended again for the tokens that suspended it`() throws {
        let drive = EngineDrive()
        let app = try drive.app("suspended", cards: 1_000)
        refuse(drive) { (1...30).contains($0) }
        try drive.declare(app)
        try drive.run()
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
        _ = try ResumeApp(Transaction(drive.ledger, at: drive.now))(app.id)
        for _ in 1...3 {
            drive.now = drive.now + 1
            try drive.run()
        }
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        let activity = try #require(drive.ledger.newestActivity(named: "suspended", in: app.id))
        let cards = drive.ledger.replicas(of: activity.id, after: 0, limit: 1_000)
        #expect(cards.count(where: isQuarantined) == 30)
    }

    @Test func `Tokens that are given another chance do not suspend the app, however many they are`() throws {
        let drive = EngineDrive()
        let app = try drive.app("large", cards: Self.many)
        refuse(drive) { $0 % 22 == 0 }
        try drive.declare(app)
        try run(drive)
        let known = drive.pushes.count
        // Nothing is known of the app any more, and nothing is due but them.
        drive.restart()
        let resume = ResumeApp(Transaction(drive.ledger, at: drive.now))
        while try resume.prepare(app.id) {}
        _ = try resume(app.id)
        try run(drive)
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        #expect(drive.pushes.count == known + 2 * (Self.many / 22), "each was tried in both environments")
        let activity = try #require(drive.ledger.newestActivity(named: "large", in: app.id))
        let cards = drive.ledger.replicas(of: activity.id, after: 0, limit: Self.many)
        #expect(cards.count(where: isQuarantined) == Self.many / 22)
        // What was not under suspicion before counts as ever.
        refuse(drive) { _ in true }
        try drive.declare(app)
        try run(drive)
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
    }

    @Test func `Tokens that were to be tried in the other environment when the app was paused pause it once`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 1_000)
        refuse(drive) { $0 <= 600 }
        try drive.declare(app)
        try drive.run()
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
        drive.restart()
        try resume(app, drive)
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        #expect(drive.ledger.replicas(of: activity.id, after: 0, limit: .max).count(where: isQuarantined) == 600)
        // Tokens that Apple accepted are no suspects, so their refusals count.
        drive.restart()
        refuse(drive) { _ in true }
        try drive.declare(app)
        try run(drive)
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
    }

    @Test func `Tokens that Apple has taken since count as all others do`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 2_000)
        refuse(drive) { $0 <= 20 }
        try drive.declare(app)
        try run(drive)
        drive.verdict = { _ in .accepted }
        try resume(app, drive)
        try drive.declare(app)
        try run(drive)
        drive.restart()
        refuse(drive) { $0 <= 30 }
        try drive.declare(app)
        try drive.run()
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
    }

    private func resume(_ app: App, _ drive: EngineDrive) throws {
        let resume = ResumeApp(Transaction(drive.ledger, at: drive.now))
        while try resume.prepare(app.id) {}
        _ = try resume(app.id)
        try run(drive)
    }

    /// Lets it run until everything was tried in both environments.
    private func run(_ drive: EngineDrive) throws {
        for _ in 1...3 {
            try drive.run()
            drive.now = drive.now + 1
        }
    }
}
