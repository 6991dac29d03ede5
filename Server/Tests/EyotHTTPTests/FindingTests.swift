import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

/// Situations that take hours, or faults of Apple or of a clock, and the finding for each.
@Suite("Findings", .timeLimit(.minutes(10)))
struct FindingTests {
    private let app = AppID(rawValue: 1)
    private let match = ActivityID(rawValue: 1)

    private func finding(_ rig: Rig, _ query: String = "?user=ana&activity=final") async throws -> String? {
        try await rig.call(.get, "/v1/why\(query)")["finding", "code"]?.string
    }

    /// Runs a rig with an app that has an APNs key for the sandbox.
    private func run(_ body: @escaping @Sendable (Rig) async throws -> Void) async throws {
        try await Rig.run { rig in
            let key = APNSKey(
                app: app, environment: .sandbox, teamID: "TEAM000001", keyID: "KEY0000001",
                sealed: SealedSecret(masterKeyID: "test", box: [1]), addedAt: Rig.start)
            try await rig.store.write { try $0.put(key) }
            rig.pushing.note(nil)
            try await body(rig)
        }
    }

    private func start(_ rig: Rig) async throws {
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
    }

    /// Changes the first card of the activity as the engine would, which does not run here.
    private func change(_ rig: Rig, _ body: @escaping @Sendable (inout Replica) -> Void) async throws {
        try await rig.store.write { ledger in
            var card = try #require(try ledger.replica(1, of: match))
            body(&card)
            try ledger.update(card)
        }
    }

    /// A card of Ana's with a token, for which Apple has accepted the newest state.
    private func pushed(_ rig: Rig) async throws -> String {
        let phone = try await rig.phone("one", user: "ana")
        try await start(rig)
        _ = try await rig.changes(phone.secret, Rig.card(2, "c", token: "update"))
        try await accept(rig, 1)
        return phone.secret
    }

    private func accept(_ rig: Rig, _ version: Version) async throws {
        let now = rig.clock.now
        try await change(rig) { card in
            (card.acceptedVersion, card.alertedVersion, card.lastSecond) = (version, version, now.second)
        }
        var sheet = AcceptanceSheet()
        let push = Push(
            event: .update, version: version, stateVersion: version, alertVersion: 0, priority: .immediate)
        sheet.note(push, of: 1)
        for row in sheet.rows(of: match, at: now) { try await rig.store.write { try $0.record(row) } }
    }

    /// The phone reports a state of its card.
    private func report(_ rig: Rig, _ secret: String, _ sequence: Int, _ state: JSONValue) async throws {
        let change =
            #"{"sequence":\#(sequence),"kind":"cardEvent","event":"contentApplied","instance":"c","#
            + #""name":"final","type":"Match","digest":"\#(StateDigest(of: state).text)"}"#
        #expect(try await rig.changes(secret, change).status == 200)
    }

    // MARK: The app

    @Test(arguments: [(APNSReason.invalidProviderToken, "apnsKeyRefused"), (.topicDisallowed, "appPaused")])
    func `what Apple refuses of the app is named`(reason: APNSReason, expected: String) async throws {
        try await run { rig in
            _ = try await pushed(rig)
            try await rig.store.write { ledger in
                var app = try #require(try ledger.app(self.app))
                app.pauses[.sandbox] = AppPause(reason: reason, since: Rig.start)
                try ledger.update(unrecorded: app)
            }
            rig.clock.advance(60)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await finding(rig) == expected)
        }
    }

    @Test func `a clock that was ahead is named, of the server and of a card`() async throws {
        try await run { rig in
            _ = try await pushed(rig)
            try await change(rig) { $0.lastSecond = Rig.start.second + 40 }
            rig.clock.advance(10)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await finding(rig) == "clockWrong")
            rig.pushing.note(.clockSetBack, until: rig.clock.now + 30)
            #expect(try await finding(rig) == "clockWrong")
        }
    }

    @Test func `a build without a capability is told from a phone without a token`() async throws {
        try await run { rig in
            for name in ["one", "two", "three"] { try await rig.phone(name, hasStartToken: false) }
            let phone = try await rig.phone("ana", user: "ana", hasStartToken: false)
            #expect(try await finding(rig, "?user=ana") == "capabilityMissing")
            try await rig.phone("four")
            #expect(try await finding(rig, "?user=ana") == "noStartToken")
            try await rig.store.write { ledger in
                for var device in try ledger.devices(after: DeviceID(rawValue: 0), limit: 10) {
                    device.permissions.activities = false
                    try ledger.update(device)
                }
            }
            #expect(try await finding(rig, "?device=\(phone.id)") == "infoPlistKeyMissing")
        }
    }

    // MARK: Starts

    @Test func `starts that led to no card are told apart`() async throws {
        try await run { rig in
            try await rig.phone("one", user: "ana")
            try await start(rig)
            func end(_ failure: StartFailure) async throws {
                try await change(rig) { ($0.phase, $0.lease) = (.notStarted(failure), nil) }
            }
            try await end(.expiredAtApple)
            #expect(try await finding(rig) == "startExpired")
            // The phone spoke at the moment of the start, so that two causes are possible.
            let why = try await rig.call(.get, "/v1/why?user=ana&activity=final")
            #expect(
                why["finding"]?.text.contains("budget of starts is spent, or the phone shows") == true, "\(why.text)")
            #expect(why["finding"]?.text.contains("Starts to this phone in the day before: 0.") == true, "\(why.text)")
            try await rig.store.write { ledger in
                for var device in try ledger.devices(after: DeviceID(rawValue: 0), limit: 10) {
                    device.seenAt = Rig.start - 3_600
                    try ledger.update(device)
                }
            }
            let silent = try await rig.call(.get, "/v1/why?user=ana&activity=final")
            #expect(silent["finding", "code"] == "startExpired")
            #expect(silent["finding"]?.text.contains("most likely online") == false, "\(silent.text)")
            try await end(.refused)
            #expect(try await finding(rig) == "startRefused")
            try await end(.tooManyStarts)
            #expect(try await finding(rig) == "startBudgetSpent")
            try await end(.replanned)
            #expect(try await finding(rig) == "startCancelled")
            try await end(.noCardHeardOf)
            #expect(try await finding(rig) == "startDropped")
            #expect(try await rig.call(.post, "/v1/activities/other/start", Body.start).status == 202)
            #expect(try await finding(rig) == "startDisplaced")
            try await end(.expiredAtApple)
            rig.clock.advance(15 * 86_400)
            #expect(try await finding(rig) == "startTokenStale")
        }
    }

    @Test func `a start is told from one that the app has not noticed`() async throws {
        try await run { rig in
            let phone = try await rig.phone("one", user: "ana")
            try await start(rig)
            try await change(rig) {
                $0.lease?.state = .accepted
                $0.lease?.sentAt = Rig.start
            }
            #expect(try await finding(rig) == "startOnItsWay")
            rig.clock.advance(120)
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":2,"kind":"permissions","permissions":{"activities":true,"frequentPushes":true}}"#)
            #expect(try await finding(rig) == "notResumed")
            try await change(rig) { $0.lease?.state = .unknown }
            #expect(try await finding(rig) == "startUnknown")
        }
    }

    @Test func `a canary holds back starts and states`() async throws {
        try await run { rig in
            for name in ["one", "two", "three"] { try await rig.phone(name, user: name) }
            try await start(rig)
            for (index, name) in ["one", "two", "three"].enumerated() {
                let ordinal = index + 1
                try await rig.store.write { ledger in
                    var card = try #require(try ledger.replica(ordinal, of: match))
                    card.appear(name, at: Rig.start)
                    _ = card.set(
                        try #require(PushToken(hex: Rig.token("u\(name)"))), environment: .sandbox, at: Rig.start)
                    card.acceptedVersion = 1
                    try ledger.update(card)
                }
            }
            rig.clock.advance(60)
            let body = #"{"contentState":{"n":2},"canary":{"percent":5}}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", body).status == 202)
            #expect(try await finding(rig, "?user=three&activity=final") == "heldByCanary")
            #expect(try await finding(rig, "?user=one&activity=final") == "onItsWay")
        }
    }

    // MARK: Pushes

    @Test func `why a card does not show what Apple accepted`() async throws {
        try await run { rig in
            let secret = try await pushed(rig)
            rig.clock.advance(60)
            try await report(rig, secret, 3, ["n": 1])
            #expect(try await finding(rig) == "shown")
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            rig.clock.advance(5)
            try await accept(rig, 2)
            rig.clock.advance(60)
            #expect(try await finding(rig) == "offline")
            try await report(rig, secret, 4, ["n": 9])
            rig.clock.advance(60)
            #expect(try await finding(rig) == "notShown")
            for _ in 0..<10 {
                rig.clock.advance(1)
                try await accept(rig, 2)
            }
            try await report(rig, secret, 5, ["n": 8])
            rig.clock.advance(60)
            #expect(try await finding(rig) == "updateBudgetSpent")
            _ = try await rig.changes(
                secret,
                #"{"sequence":6,"kind":"permissions","permissions":{"activities":true,"frequentPushes":false}}"#)
            #expect(try await finding(rig) == "frequentUpdatesOff")
            #expect(try await finding(rig, "?user=ana&activity=final&version=1") == "superseded")
            #expect(try await rig.call(.get, "/v1/why?user=ana&activity=final&version=9").field == "version")
        }
    }

    @Test func `what a phone said before is told in the past`() async throws {
        try await run { rig in
            let secret = try await pushed(rig)
            rig.clock.advance(60)
            let reportedAt = rig.clock.now.rfc3339
            try await report(rig, secret, 3, ["n": 1])
            rig.clock.advance(3_600)
            let finding = try await rig.call(.get, "/v1/why?user=ana&activity=final")["finding"]?.object
            let sentence = "The card showed version 1, the newest for it, when the phone reported at \(reportedAt)."
            #expect(finding?["sentence"]?.string == sentence)
            #expect(finding?["confidence"] == "likely")
        }
    }

    @Test func `that a card is grey, since when its state is stale`() async throws {
        try await run { rig in
            let secret = try await pushed(rig)
            let body = #"{"contentState":{"n":2},"staleAfter":60}"#
            #expect(try await rig.call(.post, "/v1/activities/final/update", body).status == 202)
            let stale = (rig.clock.now + 60).rfc3339
            rig.clock.advance(5)
            try await accept(rig, 2)
            try await report(rig, secret, 3, ["n": 2])
            #expect(try await finding(rig) == "shown")
            rig.clock.advance(60)
            let finding = try await rig.call(.get, "/v1/why?user=ana&activity=final")["finding"]?.object
            #expect(finding?["code"] == "stale" && finding?["sentence"]?.string?.contains(stale) == true)
        }
    }

    @Test func `that a card ends, as long as only Apple has the end`() async throws {
        try await run { rig in
            let secret = try await pushed(rig)
            rig.clock.advance(60)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            rig.clock.advance(5)
            try await accept(rig, 2)
            try await change(rig) { $0.phase = .ended }
            #expect(try await finding(rig) == "ending")
            rig.clock.advance(60)
            _ = try await rig.changes(secret, #"{"sequence":3,"kind":"running","type":"Match","instances":[]}"#)
            #expect(try await finding(rig) == "ended")
        }
    }

    @Test func `what iOS may have dropped, beside that the phone may be offline`() async throws {
        try await run { rig in
            _ = try await pushed(rig)
            for _ in 0..<10 {
                rig.clock.advance(1)
                try await accept(rig, 1)
            }
            rig.clock.advance(60)
            let finding = try await rig.call(.get, "/v1/why?user=ana&activity=final")["finding"]?.object
            #expect(finding?["code"] == "updateBudgetSpent" && finding?["confidence"] == "possible")
            #expect(finding?["sentence"]?.string?.contains("offline") == true)
        }
    }

    @Test(arguments: [
        (APNSReason.tooManyRequests, "slowed"), (.serviceUnavailable, "appleFails"), (.shutdown, "appleFails"),
        (.expiredProviderToken, "clockWrong"), (.tooManyProviderTokenUpdates, "keyShared"), (nil, "appleUnreachable"),
        // A refusal of a former token is no reason to wait.
        (.unregistered, "onItsWay"),
    ])
    func `what keeps a push from getting through is not blamed on the caller`(
        reason: APNSReason?, expected: String
    ) async throws {
        try await run { rig in
            _ = try await pushed(rig)
            rig.clock.advance(1)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            let next = rig.clock.now + 60
            try await change(rig) { $0.retry = Retry(attempts: 2, notBefore: next, version: nil, reason: reason) }
            let finding = try await rig.call(.get, "/v1/why?user=ana&activity=final")["finding"]?.object
            #expect(finding?["code"]?.string == expected)
            let evidence = (finding?["evidence"]?.array ?? []).compactMap(\.string).joined(separator: " ")
            #expect(expected == "onItsWay" || evidence.contains(reason?.name ?? "Attempt 2 failed"), "\(evidence)")
        }
    }

    @Test func `an outage is said of the app, and of cards that were not tried`() async throws {
        try await run { rig in
            _ = try await pushed(rig)
            rig.clock.advance(1)
            try await rig.store.write { ledger in
                var app = try #require(try ledger.app(self.app))
                app.note(AppleFailure(reason: .internalServerError, since: Rig.start, last: Rig.start), in: .sandbox)
                try ledger.update(unrecorded: app)
            }
            let reply = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(reply["warnings"]?.array?.contains { $0.string?.contains("[appleFails]") == true } == true)
            #expect(try await finding(rig) == "appleFails")
            let found = try await rig.call(.get, "/v1/findings")["findings"]?.array ?? []
            #expect(found.compactMap { $0.object?["code"]?.string } == ["appleFails"])
            // Nothing was tried for longer than any pause.
            rig.clock.advance(3_600)
            #expect(try await finding(rig) == "onItsWay")
            #expect(try await rig.call(.get, "/v1/findings")["findings"]?.array == [])
        }
    }

    @Test(arguments: [
        (APNSReason.unregistered, "tokenDead"), (.badDeviceToken, "wrongEnvironment"),
        (.deviceTokenNotForTopic, "wrongTopic"),
    ])
    func `why Apple takes no pushes to a token`(reason: APNSReason, expected: String) async throws {
        try await run { rig in
            _ = try await pushed(rig)
            try await change(rig) { $0.phase = .dead(TokenDeath(reason: reason, isQuarantine: false)) }
            #expect(try await finding(rig) == expected)
            let key = APNSKey(
                app: app, environment: .production, teamID: "TEAM000001", keyID: "KEY0000002",
                sealed: SealedSecret(masterKeyID: "test", box: [1]), addedAt: Rig.start)
            try await rig.store.write { try $0.put(key) }
            // With both keys the token was tried in both environments.
            #expect(try await finding(rig) == (reason == .badDeviceToken ? "tokenUnknown" : expected))
        }
    }

    @Test func `what becomes of a card without Eyot's doing`() async throws {
        try await run { rig in
            _ = try await pushed(rig)
            try await change(rig) { $0.phase = .unlisted }
            #expect(try await finding(rig) == "unlisted")
            try await change(rig) { ($0.phase, $0.blockedVersion, $0.blockedReason) = (.live, 1, .payloadTooLarge) }
            #expect(try await finding(rig) == "pushRefused")
            try await change(rig) { card in
                (card.blockedVersion, card.blockedReason) = (0, nil)
                card.ending = .replaced
                card.phase = .ended
            }
            #expect(try await finding(rig) == "replaced")
            let list = try await rig.call(.get, "/v1/users/ana/cards")["cards"]?.array
            #expect(list?.count == 1 && list?.first?.object?["card"]?.object?["phase"] == "ended")
        }
    }

    @Test func `cards are found by user, phase, reason, build, and whether they are behind`() async throws {
        try await run { rig in
            for name in ["one", "two", "three"] {
                try await rig.phone(name, user: name, build: name == "two" ? "2.0" : "1.0 (7)")
            }
            try await start(rig)
            try await change(rig) { ($0.phase, $0.lease) = (.notStarted(.refused), nil) }
            func ordinals(_ query: String) async throws -> [Int] {
                let page = try await rig.call(.get, "/v1/activities/final/replicas?\(query)")
                #expect(page.status == 200, "\(page.text)")
                return page["replicas"]?.array?.compactMap { $0.object?["ordinal"]?.integer } ?? []
            }
            #expect(try await ordinals("user=two") == [2])
            #expect(try await ordinals("phase=notStarted") == [1])
            #expect(try await ordinals("reason=refused") == [1])
            #expect(try await ordinals("build=2.0") == [2])
            #expect(try await ordinals("behind=true") == [2, 3])
            #expect(try await ordinals("behind=true&limit=1") == [2])
            #expect(try await ordinals("behind=true&limit=1&after=2") == [3])
            #expect(try await ordinals("shown=unknown") == [])
            #expect(try await ordinals("shown=newest") == [])
            #expect(try await rig.call(.get, "/v1/activities/final/replicas?phase=odd").field == "phase")
            #expect(try await rig.call(.get, "/v1/activities/final/replicas?shown=odd").field == "shown")
        }
    }
}
