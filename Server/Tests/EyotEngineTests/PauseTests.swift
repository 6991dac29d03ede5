import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// One environment of an app is paused, and the other is not (R10).
@Suite("Pauses of one environment")
struct PauseTests {
    /// Cards of one activity, some of them on phones of developers.
    struct Crowd: Sendable, CustomStringConvertible {
        var count: Int
        var isDebug: @Sendable (Int) -> Bool

        var description: String { "\(count) cards" }
        var debug: Set<Int> { Set((1...count).filter(isDebug)) }

        func environment(_ ordinal: Int) -> PushEnvironment { isDebug(ordinal) ? .sandbox : .production }
    }

    /// A small activity, and activities that go by pages of the ring. Of those, developers' cards are few or many, on
    /// one page or on several.
    private static let crowds = [
        Crowd(count: 5) { $0 == 2 }, Crowd(count: 40) { $0 > 20 }, Crowd(count: 90) { $0 == 90 },
        Crowd(count: 100) { $0.isMultiple(of: 3) }, Crowd(count: 1_100) { $0.isMultiple(of: 350) },
        Crowd(count: 1_100) { $0 <= 1_040 }, Crowd(count: 1_100) { $0 < 1_095 },
    ]

    private func drive(_ crowd: Crowd) throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: crowd.count, environment: crowd.environment)
        drive.verdict = { $0.environment == .sandbox ? .refused(.missingProviderToken) : .accepted }
        return (drive, app)
    }

    /// Declares three states one after the other. Each is pushed to the cards that it can reach.
    private func declareThrice(_ app: App, _ drive: EngineDrive) throws {
        for _ in 1...3 {
            try drive.declare(app)
            try drive.run()
            drive.now = drive.now + 2
        }
    }

    private func resume(_ app: App, _ drive: EngineDrive) throws {
        while try ResumeApp(Transaction(drive.ledger, at: drive.now)).prepare(app.id) {}
        _ = try ResumeApp(Transaction(drive.ledger, at: drive.now))(app.id)
        drive.verdict = { _ in .accepted }
    }

    private func ordinals(_ drive: EngineDrive, from page: Int, in environment: PushEnvironment) -> [Int] {
        drive.pages[page...].joined().filter { $0.environment == environment }.map(\.ordinal).sorted()
    }

    private func stands(_ drive: EngineDrive, _ app: App) throws -> Set<Int> {
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        return Set(drive.ledger.replicas(of: activity.id, after: 0, limit: .max).map(\.acceptedVersion))
    }

    @Test("A missing key stops its environment and not the other, whose states go out at once", arguments: crowds)
    func goesOn(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        for second in 0...6 {
            drive.now = Instant(second: 1_700_000_000 + second)
            let before = drive.pages.count
            try drive.declare(app)
            try drive.run()
            let reached = ordinals(drive, from: before, in: .production)
            #expect(reached == (1...crowd.count).filter { !crowd.isDebug($0) }, "second \(second)")
        }
        #expect(
            drive.ledger.app(app.id)?.pauses
                == [.sandbox: AppPause(reason: .missingProviderToken, since: Instant(second: 1_700_000_000))])
        // What was on its way when the reason became known is all that it cost.
        #expect(ordinals(drive, from: 0, in: .sandbox).count <= crowd.debug.count)
    }

    @Test("Whom a pause passes over is not looked at again and again", arguments: crowds)
    func rests(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        try declareThrice(app, drive)
        let takes = drive.takes
        for _ in 1...20 {
            drive.now = drive.now + 1
            try drive.run()
        }
        #expect(drive.takes == takes)
        #expect(drive.ledger.newestActivity(named: "m", in: app.id)?.skippedEnvironments == [.sandbox])
    }

    @Test("When it is resumed all whom it passed over get the newest state, once", arguments: crowds)
    func catchesUp(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        try declareThrice(app, drive)
        let before = drive.pages.count
        try resume(app, drive)
        // The hint gets lost: it is due in the store.
        drive.ledger.woken = []
        try drive.run()
        #expect(ordinals(drive, from: before, in: .sandbox) == crowd.debug.sorted())
        #expect(ordinals(drive, from: before, in: .production) == [])
        #expect(try stands(drive, app) == [3])
        let takes = drive.takes
        for _ in 1...5 {
            drive.now = drive.now + 1
            try drive.run()
        }
        #expect(drive.takes == takes, "and it rests")
        #expect(drive.ledger.newestActivity(named: "m", in: app.id)?.skippedEnvironments == [])
    }

    @Test("Whom it passed over are not forgotten where the process dies on the way to them", arguments: crowds)
    func survives(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        // It is due at a moment that is far away.
        activity.endsAt = drive.now + 3_600
        drive.ledger.update(activity)
        try declareThrice(app, drive)
        #expect(drive.ledger.newestActivity(named: "m", in: app.id)?.skippedEnvironments == [.sandbox])
        try resume(app, drive)
        drive.ledger.woken = []
        try drive.run(upToTakes: 1)
        drive.restart()
        drive.now = drive.now + 2
        try drive.run()
        #expect(try stands(drive, app) == [3])
    }

    @Test("What is declared while it is resumed, and where both were paused, comes to everybody", arguments: crowds)
    func both(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        drive.verdict = { _ in .refused(.invalidProviderToken) }
        try drive.declare(app)
        try drive.run()
        #expect(drive.ledger.app(app.id)?.isSending == false)
        drive.now = drive.now + 2
        try resume(app, drive)
        try drive.declare(app)
        try drive.run()
        #expect(try stands(drive, app) == [3])
    }

    @Test(
        "An operation is not complete while somebody is passed over, and is when they have its state", arguments: crowds
    )
    func completes(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        var request = DeclarationRequest(verb: .update, name: "m", content: Content(state: ["n": 2]))
        request.type = "T"
        let operation = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id)(request)
        #expect(operation.warnings.contains { $0.hasPrefix("The app has no APNs key for sandbox") })
        for _ in 1...3 {
            try drive.run()
            drive.now = drive.now + 2
        }
        #expect(drive.ledger.operation(operation.id, in: app.id)?.completion == nil)
        try resume(app, drive)
        try drive.run()
        drive.now = drive.now + 2
        try drive.run()
        #expect(drive.ledger.operation(operation.id, in: app.id)?.completion != nil)
    }

    @Test(
        "Who moves to the other environment meanwhile, or whose card is over, is owed nothing more", arguments: crowds)
    func leaves(_ crowd: Crowd) throws {
        let (drive, app) = try drive(crowd)
        for _ in 1...2 {
            try drive.declare(app)
            try drive.run()
            drive.now = drive.now + 2
        }
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        for ordinal in crowd.debug.sorted() {
            var replica = try #require(drive.ledger.replica(ordinal, of: activity.id))
            if ordinal.isMultiple(of: 2) { replica.token?.environment = .production } else { replica.phase = .ended }
            drive.ledger.update(replica)
        }
        var stored = try #require(drive.ledger.activity(activity.id))
        stored.wake(at: drive.now)
        drive.ledger.update(stored)
        let before = drive.pages.count
        try drive.run()
        #expect(ordinals(drive, from: before, in: .production) == crowd.debug.filter { $0.isMultiple(of: 2) }.sorted())
        #expect(drive.ledger.activity(activity.id)?.skippedEnvironments == [])
    }

    @Test("Cards that are passed over end in their time", arguments: [3, 100])
    func expires(_ count: Int) throws {
        let (drive, app) = try drive(Crowd(count: count) { _ in true })
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        try drive.run()
        drive.now = drive.now + Replica.cardLifetime + 1
        try drive.run()
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let phases = Set(drive.ledger.replicas(of: activity.id, after: 0, limit: .max).map(\.phase))
        #expect(phases == [.ended])
        #expect(activity.skippedEnvironments == [])
    }

    // MARK: Starts

    private func startable(_ drive: EngineDrive, _ app: App, _ count: Int, _ crowd: Crowd) throws -> ActivityID {
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        var start = activity.declare(.state, Content(state: ["n": 1]), at: drive.now)
        start.attributes = .object(JSONObject())
        drive.ledger.insert(start)
        for ordinal in 1...count {
            var replica = try #require(drive.ledger.replica(ordinal, of: activity.id))
            (replica.phase, replica.token, replica.lease) = (.starting, nil, Lease(version: 1))
            drive.ledger.update(replica)
            let token = try #require(PushToken(bytes: [UInt8(ordinal >> 8), UInt8(ordinal & 255)]))
            drive.ledger.put(
                StartToken(
                    device: replica.device, type: "T", token: token, environment: crowd.environment(ordinal),
                    setAt: drive.now), in: app.id)
        }
        activity.wake(at: drive.now)
        drive.ledger.update(activity)
        return activity.id
    }

    /// Starts have left where they can.
    private func held(_ crowd: Crowd) throws -> (EngineDrive, App, ActivityID) {
        let (drive, app) = try drive(crowd)
        let id = try startable(drive, app, crowd.count, crowd)
        for _ in 1...3 {
            try drive.run()
            drive.now = drive.now + 2
        }
        return (drive, app, id)
    }

    @Test("Starts are held in the environment without a key, and leave when it is resumed", arguments: crowds)
    func starts(_ crowd: Crowd) throws {
        let (drive, app, id) = try held(crowd)
        #expect(ordinals(drive, from: 0, in: .production) == (1...crowd.count).filter { !crowd.isDebug($0) })
        let takes = drive.takes
        drive.now = drive.now + 10
        try drive.run()
        #expect(drive.takes == takes)
        #expect(drive.ledger.activity(id)?.skippedEnvironments == [.sandbox])
        let before = drive.pages.count
        try resume(app, drive)
        try drive.run()
        #expect(ordinals(drive, from: before, in: .sandbox) == crowd.debug.sorted())
    }

    @Test("A held start leaves when its phone shows a token where something is sent", arguments: crowds)
    func moves(_ crowd: Crowd) throws {
        let (drive, _, id) = try held(crowd)
        let moved = try #require(crowd.debug.min())
        var device = try #require(
            drive.ledger.replica(moved, of: id).flatMap { drive.ledger.device($0.device) })
        device.environment = .production
        drive.ledger.update(device)
        let token = try #require(PushToken(bytes: [UInt8(moved >> 8), UInt8(moved & 255)]))
        let shown = DeviceChange(sequence: device.sequence + 1, action: .setStartToken(type: "T", token: token))
        _ = try ApplyChanges(Transaction(drive.ledger, at: drive.now))(
            DeviceChangeBatch(epoch: device.epoch, changes: [shown]), of: device.id)
        let before = drive.pages.count
        try drive.run()
        #expect(ordinals(drive, from: before, in: .production) == [moved])
    }

    @Test func `A start that is held when the activity ends does not leave any more`() throws {
        let crowd = Self.crowds[0]
        let (drive, app) = try drive(crowd)
        let id = try startable(drive, app, crowd.count, crowd)
        try drive.run()
        drive.now = drive.now + 2
        var activity = try #require(drive.ledger.activity(id))
        drive.ledger.insert(activity.declare(.end, Content(), at: drive.now))
        drive.ledger.update(activity)
        try drive.run()
        #expect(drive.ledger.replica(2, of: id)?.phase == .notStarted(.overtakenByEnd))
        let before = drive.pages.count
        try resume(app, drive)
        try drive.run()
        #expect(ordinals(drive, from: before, in: .sandbox) == [])
    }

    // MARK: Probes

    @Test func `A token is not probed where the app is paused, but set aside until it is resumed`() throws {
        let crowd = Crowd(count: 20) { $0 == 2 }
        let (drive, app) = try drive(crowd)
        let id = try #require(drive.ledger.newestActivity(named: "m", in: app.id)).id
        drive.verdict = { push in
            if push.environment == .sandbox { return .refused(.missingProviderToken) }
            return push.ordinal == 3 ? .refused(.deviceTokenNotForTopic) : .accepted
        }
        try declareThrice(app, drive)
        let aside = try #require(drive.ledger.replica(3, of: id))
        #expect(aside.phase == .dead(TokenDeath(reason: .deviceTokenNotForTopic, isQuarantine: true)))
        #expect(aside.token?.environment == .production)
        #expect(drive.ledger.app(app.id)?.pauses.keys.sorted { $0.rawValue < $1.rawValue } == [.sandbox])
        try resume(app, drive)
        drive.verdict = { $0.ordinal == 3 && $0.environment == .production ? .refused(.badDeviceToken) : .accepted }
        try drive.run()
        drive.now = drive.now + 2
        try drive.run()
        #expect(drive.ledger.replica(3, of: id)?.token?.environment == .sandbox, "found in the other environment")
        #expect(try stands(drive, app) == [3])
    }

    @Test func `Neither is a start token, unless it is another one by then`() throws {
        let crowd = Crowd(count: 20) { $0 == 2 }
        let (drive, app) = try drive(crowd)
        drive.verdict = { push in
            if push.environment == .sandbox { return .refused(.missingProviderToken) }
            return [3, 4].contains(push.ordinal) ? .refused(.badDeviceToken) : .accepted
        }
        let id = try startable(drive, app, crowd.count, crowd)
        try drive.run()
        let moved = try #require(drive.ledger.replica(4, of: id)).device
        drive.now = drive.now + 2
        var token = try #require(drive.ledger.startToken(of: moved, type: "T"))
        token.setAt = drive.now
        drive.ledger.put(token, in: app.id)
        try drive.run()
        let aside = try #require(drive.ledger.replica(3, of: id))
        #expect(aside.phase == .notStarted(.suspected))
        #expect(
            drive.ledger.startToken(of: aside.device, type: "T")?.death
                == TokenDeath(reason: .badDeviceToken, isQuarantine: true))
        #expect(drive.ledger.startToken(of: moved, type: "T")?.death == nil)
        let before = drive.pages.count
        try resume(app, drive)
        try drive.run()
        #expect(ordinals(drive, from: before, in: .production) == [3, 4])
        #expect(ordinals(drive, from: before, in: .sandbox) == [2])
    }

    @Test func `Too many suspects pause the environment that refuses them, and not the other`() throws {
        let crowd = Crowd(count: 200) { $0 > 100 }
        let (drive, app) = try drive(crowd)
        drive.verdict = { $0.environment == .production ? .refused(.badDeviceToken) : .accepted }
        try drive.declare(app)
        try drive.run()
        #expect(drive.ledger.app(app.id)?.pauses.keys.map(\.self) == [.production])
    }

    // MARK: Canaries

    @Test("A canary goes on past phones that cannot be asked", arguments: [10.0, 50])
    func canary(_ percent: Double) throws {
        let crowd = Crowd(count: 400) { $0 <= 60 }
        let (drive, app) = try drive(crowd)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        let id = try tryOut(drive, app, percent: percent)
        for _ in 1...20 {
            drive.now = drive.now + 2
            try drive.run()
        }
        let activity = try #require(drive.ledger.activity(id))
        #expect(activity.openCanary == nil, "it has gone on")
        #expect((activity.canary?.answers.accepted ?? 0) > 0, "and somebody has answered")
        #expect((61...400).allSatisfy { drive.ledger.replica($0, of: id)?.acceptedVersion == 2 })
    }

    @Test func `A canary of which nobody can be asked waits until they can`() throws {
        let crowd = Crowd(count: 100) { _ in true }
        let (drive, app) = try drive(crowd)
        try drive.declare(app)
        try drive.run()
        drive.now = drive.now + 2
        let id = try tryOut(drive, app, percent: 10)
        for _ in 1...60 {
            drive.now = drive.now + 5
            try drive.run()
        }
        #expect(drive.ledger.activity(id)?.openCanary?.answers.count == 0)
        try resume(app, drive)
        for _ in 1...20 {
            drive.now = drive.now + 5
            try drive.run()
        }
        #expect(drive.ledger.activity(id)?.openCanary == nil)
        #expect(try stands(drive, app) == [2])
    }

    private func tryOut(_ drive: EngineDrive, _ app: App, percent: Double) throws -> ActivityID {
        var activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let terms = Canary.Terms(percent: percent, waitSeconds: 5)
        drive.ledger.insert(activity.declare(.state, Content(state: ["n": 2]), on: terms, at: drive.now))
        activity.chooseShare()
        try AdvanceCanary(Transaction(drive.ledger, at: drive.now)).markShare(of: activity)
        drive.ledger.update(activity)
        return activity.id
    }

    // MARK: Channels

    @Test func `A broadcast that is refused in one environment goes on in the other`() throws {
        let world = ChannelWorld(environments: [.sandbox, .production])
        try world.declare(.put, score: 1, wantsChannel: true)
        try world.work()
        #expect(Set(world.pages.map(\.environment)) == [.sandbox, .production])
        var app = try #require(world.ledger.app(world.app.id))
        app.pauses[.sandbox] = AppPause(reason: .missingProviderToken, since: world.now)
        world.ledger.update(unrecorded: app)
        let before = world.pages.count
        for score in 2...4 {
            world.advance(2)
            try world.declare(.update, score: score)
            try world.work()
        }
        #expect(world.pages[before...].map(\.environment) == [.production, .production, .production])
        _ = try ResumeApp(Transaction(world.ledger, at: world.now))(app.id)
        try world.work()
        #expect(world.pages.last?.environment == .sandbox)
        #expect(world.ledger.channels(of: try world.activity().id).map(\.accepted) == [4, 4])
    }
}
