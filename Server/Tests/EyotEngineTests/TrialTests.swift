import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("Pauses that try and lift themselves (R8)")
struct TrialTests {
    private func pauses(_ drive: EngineDrive, _ app: App) -> Set<PushEnvironment> {
        Set(drive.ledger.app(app.id)?.pauses.keys.map(\.self) ?? [])
    }

    /// Lets seconds pass, and tells what left in each.
    private func pass(_ seconds: Int, _ drive: EngineDrive) throws -> [Int] {
        try (1...seconds).map { _ in
            let before = drive.pushes.count
            drive.now = drive.now + 1
            try drive.run()
            return drive.pushes.count - before
        }
    }

    private func behind(_ drive: EngineDrive, _ app: App) throws -> Int {
        let activity = try #require(drive.ledger.newestActivity(named: app.name, in: app.id))
        return drive.ledger.replicas(of: activity.id, after: 0, limit: .max).count {
            $0.acceptedVersion < activity.version
        }
    }

    @Test(arguments: [APNSReason.badDeviceToken, .deviceTokenNotForTopic, .invalidProviderToken, .badTopic])
    func `A pause of one environment tries a few pushes, ever more seldom, and ends when Apple takes one`(
        reason: APNSReason
    ) throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 400, environment: { $0.isMultiple(of: 2) ? .production : .sandbox })
        drive.verdict = { $0.environment == .production ? .refused(reason) : .accepted }
        try drive.declare(app)
        try drive.run()
        #expect(pauses(drive, app) == [.production])
        _ = try pass(1, drive)
        #expect(try behind(drive, app) == 200)
        let tries = try pass(3_600, drive)
        #expect(tries.allSatisfy { $0 <= Trials.pushes })
        let moments = tries.indices.filter { tries[$0] > 0 }
        #expect(moments.first == 58)
        #expect((5...8).contains(moments.count), "\(moments)")
        #expect(pauses(drive, app) == [.production])
        drive.verdict = { _ in .accepted }
        _ = try pass(905, drive)
        #expect(pauses(drive, app) == [])
        #expect(try behind(drive, app) == 0)
    }

    @Test func `Tokens that never worked pause nothing, and those that did are up to date`() throws {
        let drive = EngineDrive()
        drive.isProven = false
        let made = (0..<200).map { (token: UInt8($0), environment: PushEnvironment.sandbox) }
        let app = try drive.app("m", cards: made + [(token: 255, environment: .production)])
        drive.verdict = { $0.token == [255] ? .accepted : .refused(.badDeviceToken) }
        for _ in 1...3 {
            try drive.declare(app)
            _ = try pass(3, drive)
        }
        #expect(pauses(drive, app) == [])
        #expect(drive.pushes.count == 3 + 2 * 200)
        #expect(drive.pushes.last { $0.token == [255] }?.state == 2)
    }

    @Test func `A trial is made with tokens that worked`() throws {
        let drive = EngineDrive()
        drive.isProven = false
        let made = (0..<50).map { (token: UInt8($0), environment: PushEnvironment.production) }
        var app = try drive.app("m", cards: made)
        try drive.declare(app)
        app = try #require(drive.ledger.app(app.id))
        app.pause(in: .production, because: .badDeviceToken, at: drive.now)
        drive.ledger.update(unrecorded: app)
        // None of them would tell anything, so the app goes on.
        #expect(try pass(65, drive).max() == 50)
        #expect(pauses(drive, app) == [])
    }

    @Test func `An app that an operator has halted is not tried`() throws {
        let drive = EngineDrive()
        var app = try drive.app("m", cards: 100)
        drive.verdict = { _ in .refused(.badTopic) }
        try drive.declare(app)
        try drive.run()
        app = try #require(drive.ledger.app(app.id))
        app.haltedAt = drive.now
        drive.ledger.update(unrecorded: app)
        #expect(try pass(200, drive).allSatisfy { $0 == 0 })
    }
}
