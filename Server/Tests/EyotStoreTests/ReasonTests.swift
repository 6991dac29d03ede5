import APNSWire
import EyotContract
import EyotDomain
import EyotSQLite
import EyotTestKit
import Testing

/// Every row of Apple's table of reasons, through engine and store: what its action promises is what happens.
@Suite("Each of Apple's reasons")
struct ReasonTests {
    /// A scenario of one phone, and the rows that it left.
    private struct Play {
        let world: ScenarioWorld
        let ledger: any Ledger

        init(_ ledger: any Ledger, _ steps: [Scenario.Step]) throws {
            self.ledger = ledger
            world = try ScenarioWorld(ledger: ledger)
            try world.play(Scenario("refused", steps, pushes: [], until: 25))
        }

        var app: App { get throws { try #require(try ledger.apps().first) } }
        var activity: Activity { get throws { try #require(try ledger.newestActivity(named: "m", in: app.id)) } }
        var replica: Replica { get throws { try #require(try ledger.replica(1, of: activity.id)) } }
        var startToken: StartToken {
            get throws {
                try #require(try ledger.startToken(of: replica.device, type: ScenarioWorld.type))
            }
        }

        func resume() throws { try world.play(Scenario("mended", at(30, .resume), pushes: [], until: 40)) }
    }

    /// How often a push is refused before Apple takes one: often enough to see what the action does next.
    private func refusals(_ reason: APNSReason) -> [Scenario.Fate] {
        let isFinal = [.buryToken, .pauseApp, .pauseChannels, .dropPush].contains(reason.action)
        return Array(repeating: .refused(reason, deadSince: 4), count: isFinal ? 1 : 2)
    }

    @Test("An update that is refused", arguments: APNSReason.allCases)
    func update(_ reason: APNSReason) throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger,
                at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates(refusals(reason)))
                    + at(5, .call(Call.update(1))) + at(6.5, .call(Call.update(2))))
            let replica = try play.replica
            let tally = try play.activity.tally
            #expect((reason == .unrecognized ? tally.unknown : tally.refused) == refusals(reason).count)
            switch reason.action {
            case .buryToken:
                #expect(play.world.pushes == ["5 a update 1"])
                #expect(replica.phase == .dead(TokenDeath(reason: reason, isQuarantine: false)))
            case .suspectToken:
                #expect(play.world.pushes == ["5 a update 1", "6 a update 1"])
                #expect(replica.phase == .dead(TokenDeath(reason: reason, isQuarantine: true)))
                #expect(replica.token?.environment == .sandbox)
            case .retryLater, .renewProviderToken:
                // The newer one does not wait for the second, longer pause.
                #expect(play.world.pushes == ["5 a update 1", "6 a update 1", "7 a update 2"])
                #expect(replica.phase == .live)
            case .slowToken:
                #expect(play.world.pushes == ["5 a update 1", "6 a update 1", "8 a update 2"])
                #expect(replica.phase == .live)
            case .pauseApp, .pauseChannels:
                #expect(play.world.pushes == ["5 a update 1"])
                #expect(replica.phase == .live)
                #expect(try play.app.pauses.mapValues(\.reason) == [.sandbox: reason])
                try play.resume()
                #expect(play.world.pushes.last == "30 a update 2")
            case .dropPush:
                #expect(play.world.pushes == ["5 a update 1", "6 a update 2"])
                #expect(replica.blockedReason == reason)
                #expect(replica.acceptedVersion == 2)
            }
            if ![.pauseApp, .pauseChannels].contains(reason.action) { #expect(try play.app.pauses.isEmpty) }
        }
    }

    @Test("A start that is refused", arguments: APNSReason.allCases)
    func start(_ reason: APNSReason) throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger, at(0, .phone("a")) + at(0.5, .fates(refusals(reason))) + at(1, .call(Call.start(1))))
            let (replica, token) = (try play.replica, try play.startToken)
            switch reason.action {
            case .buryToken:
                #expect(play.world.pushes == ["1 a start 1!"])
                #expect(replica.phase == .notStarted(.refused))
                #expect(token.death == TokenDeath(reason: reason, isQuarantine: false))
            case .suspectToken:
                #expect(play.world.pushes == ["1 a start 1!", "2 a start 1!"])
                #expect(replica.phase == .notStarted(.suspected))
                #expect(token.death == TokenDeath(reason: reason, isQuarantine: true))
            case .retryLater where reason == .unrecognized:
                #expect(play.world.pushes == ["1 a start 1!"])
                #expect(replica.lease?.state == .unknown)
            case .retryLater, .renewProviderToken, .slowToken:
                #expect(play.world.pushes == ["1 a start 1!", "2 a start 1!", "4 a start 1!"])
                #expect(replica.phase == .live)
            case .pauseApp, .pauseChannels:
                #expect(play.world.pushes == ["1 a start 1!"])
                #expect(replica.lease?.state == .planned)
                #expect(try play.app.pauses.mapValues(\.reason) == [.sandbox: reason])
                try play.resume()
                #expect(play.world.pushes.last == "30 a start 1!")
            case .dropPush:
                #expect(play.world.pushes == ["1 a start 1!"])
                #expect(replica.phase == .notStarted(.refused))
                #expect(token.death == nil)
            }
        }
    }

    private static let suspicions = APNSReason.allCases.filter { $0.action == .suspectToken }
    private static let faultsOfApps = APNSReason.allCases.filter { $0.action == .pauseApp }

    @Test(
        "A probe that is refused for the app's sake finds nothing out: nothing is paused, and the first refusal stands",
        arguments: suspicions, faultsOfApps)
    func probe(_ first: APNSReason, _ second: APNSReason) throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger,
                at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(first), .refused(second)]))
                    + at(5, .call(Call.update(1))))
            #expect(play.world.pushes == ["5 a update 1", "6 a update 1"])
            #expect(try play.app.pauses.isEmpty)
            let replica = try play.replica
            #expect(replica.phase == .dead(TokenDeath(reason: first, isQuarantine: true)))
            #expect(replica.token?.environment == .sandbox)
            #expect(replica.token?.probing == false)
            // After the key is mended and the app resumed, the token is tried again, from the first environment on.
            try play.resume()
            #expect(play.world.pushes.last == "30 a update 1")
            #expect(try play.replica.phase == .live)
        }
    }

    @Test(
        "A start's probe that is refused for the app's sake pauses nothing, and sets the start token aside",
        arguments: suspicions, faultsOfApps)
    func startProbe(_ first: APNSReason, _ second: APNSReason) throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger,
                at(0, .phone("a")) + at(0.5, .fates([.refused(first), .refused(second)]))
                    + at(1, .call(Call.start(1))))
            #expect(play.world.pushes == ["1 a start 1!", "2 a start 1!"])
            #expect(try play.app.pauses.isEmpty)
            #expect(try play.replica.phase == .notStarted(.suspected))
            let token = try play.startToken
            #expect(token.death == TokenDeath(reason: first, isQuarantine: true))
            #expect(token.environment == .sandbox)
            try play.resume()
            #expect(play.world.pushes.last == "30 a start 1!")
        }
    }

    @Test(
        "An end that is refused for good is not sent again, and its card is set aside",
        arguments: APNSReason.allCases.filter { $0.action == .dropPush })
    func end(_ reason: APNSReason) throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger,
                at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                    + at(8, .fates(refusals(reason))) + at(9, .call(Call.end(2))))
            #expect(play.world.pushes == ["5 a update 1", "9 a end 2"])
            #expect(try play.replica.phase == .dead(TokenDeath(reason: reason, isQuarantine: true)))
        }
    }

    @Test func `A start that is refused for what was there before its token goes again, and the token stays`() throws {
        try SQLiteDatabase().write { ledger in
            let play = try Play(
                ledger,
                at(10, .phone("a")) + at(10.5, .fates([.refused(.unregistered, deadSince: 4)]))
                    + at(11, .call(Call.start(1))))
            #expect(play.world.pushes.count == 2)
            #expect(try play.replica.phase == .live)
            #expect(try play.startToken.death == nil)
        }
    }

    @Test func `A token of the other environment is found by one probe and stays there`() throws {
        for reason in [APNSReason.badDeviceToken, .deviceTokenNotForTopic] {
            try SQLiteDatabase().write { ledger in
                let play = try Play(
                    ledger,
                    at(0, .phone("a"), .local("a", name: "m")) + at(4, .fates([.refused(reason)]))
                        + at(5, .call(Call.update(1))))
                #expect(try play.replica.token?.environment == .production)
                #expect(try play.replica.token?.probing == false)
                #expect(try play.replica.phase == .live)
            }
        }
    }
}
