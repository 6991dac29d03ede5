import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// Apple's answers to pushes of a former key, or from before a resume, say nothing of the key in force.
@Suite("Late answers")
struct LateAnswerTests {
    /// What happens to the app while its page is on the way.
    enum Repair: CaseIterable {
        case resumed
        case keyStored

        func perform(on app: App, in ledger: MemoryLedger, at now: Instant) throws {
            switch self {
            case .resumed: _ = try ResumeApp(Transaction(ledger, at: now))(app.id)
            case .keyStored:
                let key = try NewAPNSKey(teamID: "T123456789", keyID: "K123456789", privateKey: "p8") { _, _, _ in }
                _ = try PutAPNSKey(Transaction(ledger, at: now), sealer: Sealer(.make()))(key, of: app.id, .production)
            }
        }
    }

    private func pauses(_ drive: EngineDrive, _ app: App) -> [PushEnvironment: AppPause]? {
        drive.ledger.app(app.id)?.pauses
    }

    /// Apple refuses what is on the way when the app is repaired, and takes what leaves later.
    private func repair(_ repair: Repair, _ app: App, of drive: EngineDrive, refusing reason: APNSReason) {
        var isRepaired = false
        drive.verdict = { _ in
            if !isRepaired { try? repair.perform(on: app, in: drive.ledger, at: drive.now) }
            isRepaired = true
            return drive.pages.count == 1 ? .refused(reason) : .accepted
        }
    }

    @Test(
        "do not pause the app, and their cards are pushed again", arguments: Repair.allCases,
        [APNSReason.invalidProviderToken, .badTopic, .badDeviceToken])
    func sendAgain(_ repair: Repair, refusing reason: APNSReason) throws {
        for cards in [5, 100, 400] {
            let drive = EngineDrive()
            let app = try drive.app("m", cards: cards)
            self.repair(repair, app, of: drive, refusing: reason)
            try drive.declare(app)
            try drive.run()
            // Not in the second in which they left (R7).
            drive.now = drive.now + 1
            try drive.run()
            #expect(pauses(drive, app) == [:])
            #expect(drive.pages.map(\.count) == [cards, cards])
            let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
            let replicas = drive.ledger.replicas(of: activity.id, after: 0, limit: .max)
            #expect(replicas.allSatisfy { $0.acceptedVersion == 1 && $0.phase == .live && !$0.isSuspect })
        }
    }

    @Test func `do not spare the app when Apple refuses again what left later`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 5)
        repair(.resumed, app, of: drive, refusing: .invalidProviderToken)
        let first = drive.verdict
        drive.verdict = {
            let verdict = first($0)
            return verdict == .accepted ? .refused(.invalidProviderToken) : verdict
        }
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 1
        try drive.run()
        #expect(drive.pages.count == 2)
        #expect(pauses(drive, app)?[.production]?.reason == .invalidProviderToken)
    }

    @Test func `that were settled before the repair do not pause the app after it`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: 1)
        let fault = AppFault(of: app.id, in: .production, renewedAt: nil, because: .invalidProviderToken)
        try Repair.keyStored.perform(on: app, in: drive.ledger, at: drive.now)
        #expect(try PauseApp(Transaction(drive.ledger, at: drive.now))(fault) == PauseApp.Outcome())
        #expect(pauses(drive, app) == [:])
        let other = AppFault(of: app.id, in: .sandbox, renewedAt: nil, because: .invalidProviderToken)
        #expect(try PauseApp(Transaction(drive.ledger, at: drive.now))(other).paused == [.sandbox])
    }

    @Test func `to a broadcast or about a channel do not pause the app, and both go again`() throws {
        let world = ChannelWorld(environments: [.production])
        try world.declare(.put, score: 1, wantsChannel: true)
        for _ in 1...2 {
            let task = try #require(try world.begin().first)
            world.advance(2)
            try Repair.resumed.perform(on: world.app, in: world.ledger, at: world.now)
            try world.settle(task, .refused(.invalidProviderToken), .refused(.invalidProviderToken))
            #expect(world.ledger.app(world.app.id)?.pauses == [:])
            world.advance(2)
            try world.settle(try #require(try world.begin().first), .accepted)
        }
        #expect(world.asked == ["make", "make", "update 1", "update 1"])
    }
}
