import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("The SDK keeps house by itself", .timeLimit(.minutes(10)))
struct HousekeepingTests {
    private let rig = Rig()

    private func followed(in eyot: Eyot) async throws -> String {
        eyot.follow(MatchAttributes.self)
        let instance = try rig.request("final").id
        await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
        await rig.server.wait { $0.startable == ["MatchAttributes"] }
        return instance
    }

    @Test func `one call has a type started by the server and its cards followed`() async throws {
        try await rig.launch { eyot in
            _ = try await followed(in: eyot)
            #expect(eyot.status(of: "final") != .notTracked)
        }
        let older = Rig(os: IOSVersion(16, 4))
        try await older.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let instance = try older.request("final").id
            for await event in Eyot.heard {
                if case .problem(.startTokensUnavailable) = event {
                    Issue.record("a system without start tokens is no problem of a card")
                }
                if event.isFollowed(instance) { break }
            }
        }
    }

    @Test(arguments: [SystemSignal.foreground, .networkBack])
    func `a card is asked about, once in ten seconds`(signal: SystemSignal) async throws {
        try await rig.launch { eyot in
            let instance = try await followed(in: eyot)
            let now = rig.clock.now().timeIntervalSince1970
            await rig.server.declare("final", version: 7, state: ["score": 7], timestamp: now + 1)
            rig.clock.advance(by: 1)
            rig.signals.say(signal)
            try await eyot.event { $0 == .stateApplied(name: "final", version: 7) }
            #expect(try rig.card(instance).content.state == ["score": 7])
            let sightings = { @Sendable (books: ScriptedServer.Books) in books.actions.count { $0.updateToken != nil } }
            let told = await sightings(rig.server.books)
            rig.signals.say(signal)
            rig.clock.advance(by: 10)
            rig.signals.say(signal)
            await rig.server.wait { sightings($0) > told }
            #expect(await sightings(rig.server.books) == told + 1)
        }
    }

    @Test func `a start token whose confirmation has run out is read and told again`() async throws {
        try await rig.launch { eyot in
            _ = try await followed(in: eyot)
            try await eyot.event { $0 == .startToken(type: "MatchAttributes", .confirmed) }
            rig.clock.advance(by: 83_000)
            rig.signals.say(.foreground)
            await rig.server.wait { $0.actions.count { $0.startToken != nil } == 2 }
        }
    }

    @Test func `a pause between two tries is not waited out`() async throws {
        try await rig.launch { eyot in
            await rig.server.wait { $0.registrations.count == 1 }
            await rig.server.plan(.changes, [.lost])
            eyot.addTags(["fans"])
            _ = await rig.clock.nextSleep()
            rig.signals.say(.networkBack)
            await rig.server.wait { $0.actions.count == 1 }
        }
    }

    @Test func `notifications of the system are heard by their names`() async {
        let center = NotificationCenter()
        for name in SystemSignals.foregroundNames {
            var signals = SystemSignals(center: center).signals().makeAsyncIterator()
            center.post(name: Notification.Name("UIApplicationDidReceiveMemoryWarningNotification"), object: nil)
            center.post(name: Notification.Name(name), object: nil)
            #expect(await signals.next() == .foreground)
        }
    }

    @Test func `the network is back only after it was gone`() {
        var changes = NetworkChanges()
        #expect(
            [true, true, false, false, true, true].map { changes.isBack($0) } == [
                false, false, false, false, true, false,
            ])
    }

    // MARK: Awake

    @Test func `a card without a token keeps the app awake until the server has one, or for half a minute`()
        async throws
    {
        var rules = PhoneRules()
        rules.backgroundTime = 5
        let rig = Rig(rules: rules)
        rig.phone.changeSettings { $0.allowed = .afterAsking }
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            rig.phone.moveToBackground()
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            try await eyot.event { $0.follows("final") }
            await rig.clock.waitForSleepers(1, of: TokenAbsence.wakefulness)
            rig.clock.advance(by: 20)
            #expect(rig.phone.state.run == .background)
            rig.phone.pressAllow()
            let token = try #require(rig.phone.state.cards.first?.updateToken)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
            #expect(rig.phone.state.run == .background)
        }
    }

    // MARK: While the app sleeps

    @Test func `a token that found no server is handed to the system, which makes the request without the app`()
        async throws
    {
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            await rig.server.plan(.changes, Array(repeating: .lost, count: 100))
            _ = try rig.request("final")
            await rig.server.wait(until: \.isHandedOver)
        }
        let token = try #require(rig.phone.state.cards.first?.updateToken)
        try await rig.server.makeHandedOver()
        await rig.server.forgetPlans()
        #expect(await rig.server.books.actions.contains { $0.updateToken?.token == token })
        let told = await rig.server.books.actions.count { $0.updateToken?.token == token }
        #expect(told == 1)
        try await rig.launch { eyot in
            try await eyot.event { if case .confirmed = $0 { true } else { false } }
            #expect(await rig.server.books.actions.count { $0.updateToken?.token == token } == 1)
        }
    }

    @Test func `a token whose request gets no answer in time is handed over, and taken back once there is one`()
        async throws
    {
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            await rig.server.holdUpdateToken()
            _ = try rig.request("final")
            await rig.clock.waitForSleepers(1, of: HandOver.patience)
            rig.clock.advance(by: HandOver.patience)
            await rig.server.wait(until: \.isHandedOver)
            await rig.server.release()
            await rig.server.wait { !$0.isHandedOver }
        }
    }
}
