import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("A server that fails", .timeLimit(.minutes(10)))
struct NetworkTests {
    private let rig = Rig()

    @Test func `is tried again with growing pauses`() async throws {
        await rig.server.plan(.changes, [.status(500), .status(503), .status(429), .lost])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            for pause in [0.5, 1, 2, 4] {
                #expect(await rig.clock.nextSleep() == pause)
                rig.clock.advance(by: pause)
            }
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
        #expect(await rig.server.requests.filter { $0.route == .changes }.count == 5)
    }

    @Test func `can ask for a longer pause`() async throws {
        await rig.server.plan(.changes, [.status(429, retryAfter: 40), .status(503, retryAfter: 1e9)])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == 40)
            rig.clock.advance(by: 40)
            #expect(await rig.clock.nextSleep() == 3_600)
        }
    }

    @Test func `is tried at once when the network is back`() async throws {
        await rig.server.plan(.changes, [.lost, .lost])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            _ = await rig.clock.nextSleep()
            eyot.retryNow()
            #expect(await rig.clock.nextSleep() == 1)
            eyot.retryNow()
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `does not hurry because more happens meanwhile`() async throws {
        await rig.server.plan(.changes, [.lost])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            _ = await rig.clock.nextSleep()
            eyot.logout()
            eyot.identify("user-2")
            eyot.unregister(MatchAttributes.self)
            try await eyot.problem { $0 == .notRegistered(type: "MatchAttributes") }
            #expect(await rig.server.requests.filter { $0.route == .changes }.count == 1)
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions.last == .identify(user: "user-2") }
        }
    }

    @Test func `is tried at once with each token that is new, and with a card that appeared`() async throws {
        await rig.server.plan(.changes, [.lost, .lost, .lost])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == 0.5)
            eyot.register(MatchAttributes.self)
            #expect(await rig.clock.nextSleep() == 1)
            eyot.resume(MatchAttributes.self)
            try await eyot.event { if case .startToken(_, .seen) = $0 { true } else { false } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            // The card, with its token or before it.
            #expect(await rig.clock.nextSleep() == 2)
            try await eyot.event { $0.follows("final") }
            eyot.retryNow()
            let token = try #require(rig.phone.state.cards.first?.updateToken)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `is not tried again for a token that it had when it failed`() async throws {
        await rig.server.plan(.changes, [.lost])
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            #expect(await rig.clock.nextSleep() == 0.5)
            eyot.register(MatchAttributes.self)
            eyot.unregister(Never2.self)
            try await eyot.problem { $0 == .notRegistered(type: "Never2") }
            #expect(await rig.server.requests.count { $0.route == .changes } == 1)
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
        }
    }

    @Test("that asked for a pause gets it, whatever is new", arguments: [40.0, 0.25])
    func askedPause(asked: Double) async throws {
        await rig.server.plan(.changes, [.status(503, retryAfter: asked)])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == asked)
            if asked < 0.5 { #expect(await rig.clock.nextSleep() == 0.5) }
            eyot.register(MatchAttributes.self)
            try await eyot.event { if case .startToken(_, .seen) = $0 { true } else { false } }
            for _ in 0..<5 {
                eyot.retryNow()
                rig.signals.say(.foreground)
                rig.signals.say(.networkBack)
            }
            eyot.unregister(Never2.self)
            try await eyot.problem { $0 == .notRegistered(type: "Never2") }
            #expect(await rig.server.requests.count { $0.route == .changes } == 1)
            // Of a pause that is longer than it asked for, no more than that.
            rig.clock.advance(by: asked)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
        }
    }

    @Test func `is told a token while the system would have ended the app`() async throws {
        var rules = PhoneRules()
        rules.backgroundTime = 5
        let rig = Rig(rules: rules)
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            try await eyot.event { $0 == .confirmed(changes: 1) }
            for isToken in [true, false] {
                rig.phone.moveToBackground()
                await rig.server.hold(.changes)
                let before = await rig.server.requests.count
                if isToken { rig.phone.rotateStartToken() } else { eyot.addTags(["fans"]) }
                await rig.server.wait { $0.requests.count > before }
                rig.clock.advance(by: 10)
                #expect(rig.phone.state.run == (isToken ? .background : .notRunning))
                await rig.server.release()
                if isToken { try await eyot.event { $0 == .confirmed(changes: 1) } }
                if isToken { _ = rig.phone.launch() }
            }
        }
    }

    @Test func `may answer nonsense, which counts as no answer`() async throws {
        await rig.server.plan(.register, [.status(200, body: "<html>")])
        await rig.server.plan(.changes, [.status(200, body: #"{"applied":"all"}"#), .status(200, body: "{")])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            for _ in 0..<3 {
                _ = await rig.clock.nextSleep()
                rig.clock.advance(by: 300)
            }
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `that takes what was overtaken on its way has taken something`() async throws {
        try await rig.launch { eyot in
            await rig.server.hold(.changes)
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.requests.contains { $0.route == .changes } }
            eyot.unregister(MatchAttributes.self)
            eyot.unregister(MatchAttributes.self)
            try await eyot.problem { $0 == .notRegistered(type: "MatchAttributes") }
            await rig.server.release()
            // No clock moves here: what replaced it goes out at once.
            await rig.server.wait { $0.actions.last == .removeStartToken(type: "MatchAttributes") }
            #expect(await rig.server.applied.count == 2)
        }
    }

    @Test func `that claims to have taken nothing is not asked in a circle`() async throws {
        await rig.server.plan(.changes, [.status(200, body: #"{"applied":0,"cards":[]}"#)])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == 0.5)
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `that forgot the credentials gets a new registration, and hears everything that holds again`()
        async throws
    {
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.identify("user-1")
            let activity = try rig.request("final")
            eyot.observe(activity)
            let (start, update) = (rig.phone.state.startToken, try rig.card(activity.id).updateToken)
            await rig.server.wait { books in
                books.actions.contains { $0.startToken == start }
                    && books.actions.contains { $0.updateToken?.token == update }
                    && books.actions.contains(.identify(user: "user-1"))
            }
            await rig.server.plan(.changes, [.status(401)])
            eyot.logout()
            eyot.identify("user-2")
            await rig.server.wait { books in
                books.registrations.count == 2 && books.actions.contains(.identify(user: "user-2"))
            }
            await rig.server.wait { $0.actions.filter { $0.startToken == start }.count == 2 }
        }
        let registrations = await rig.server.registrations
        #expect(registrations[0].installation == registrations[1].installation)
        let sequences = await rig.server.applied.map(\.sequence)
        #expect(sequences.filter { $0 == 1 }.count == 2)
    }

    @Test func `that refuses every credential is not asked in a circle`() async throws {
        await rig.server.plan(.changes, [.status(401), .status(401), .status(401)])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == 1)
            rig.clock.advance(by: 1)
            #expect(await rig.clock.nextSleep() == 2)
            rig.clock.advance(by: 2)
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `that knows the installation as another's gets a new one`() async throws {
        await rig.server.plan(.register, [.status(409, body: #"{"code":"installationTaken"}"#)])
        try await rig.launch { eyot in
            try await eyot.event { $0 == .registered(device: "device-1") }
        }
        let asked = await rig.server.requests.filter { $0.route == .register }.map { $0.body.object?["installation"] }
        #expect(asked.count == 2 && asked[0] != asked[1])
    }

    @Test func `that refuses the app key is asked seldom, and the app hears of it`() async throws {
        var configuration = rig.configuration
        configuration.appKey = "wrong"
        try await rig.launch(as: configuration) { eyot in
            // 401 at the registration: a new installation cannot help either.
            #expect(await rig.clock.nextSleep() == 300)
        }
        #expect(await rig.server.registrations.isEmpty)
    }

    @Test func `that refuses one change loses that one alone`() async throws {
        await rig.server.refuse { $0.action == .running(type: "MatchAttributes", instances: []) }
        await rig.server.plan(.register, [.status(503, retryAfter: 1)])
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            eyot.identify("user-1")
            eyot.unregister(Never2.self)
            try await eyot.problem { $0 == .notRegistered(type: "Never2") }
            rig.clock.advance(by: 1)
            try await eyot.problem {
                $0 == .changeRefused(kind: "running", of: "MatchAttributes", status: 422, reason: "not this one")
            }
            let token = rig.phone.state.startToken
            await rig.server.wait { books in
                books.actions.contains(.identify(user: "user-1")) && books.actions.contains { $0.startToken == token }
            }
        }
    }

    @Test("that is not ours, or has moved, loses nothing", arguments: [402, 403, 404, 405, 407, 408, 409, 451])
    func foreignServer(status: Int) async throws {
        await rig.server.plan(.changes, [.status(status, body: "<html>")])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            _ = await rig.clock.nextSleep()
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
    }

    @Test func `hears of a new version of the app`() async throws {
        try await rig.launch { eyot in try await eyot.event { $0 == .registered(device: "device-1") } }
        try await rig.launch { eyot in
            eyot.identify("user-1")
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
        #expect(await rig.server.registrations.count == 1)
        var configuration = rig.configuration
        configuration.appVersion = "1.1 (2)"
        try await rig.launch(as: configuration) { eyot in
            try await eyot.event { $0 == .registered(device: "device-1") }
        }
        #expect(await rig.server.registrations.last?.appVersion == "1.1 (2)")
        #expect(await rig.server.registrations.last?.user == "user-1")
        configuration.language = "pt-BR"
        try await rig.launch(as: configuration) { eyot in
            try await eyot.event { $0 == .registered(device: "device-1") }
        }
        #expect(await rig.server.registrations.last?.language == "pt-BR")
        // Still the same device: without its secret the server would have taken it for another one.
        #expect(await Set(rig.server.registrations.map(\.installation)).count == 1)
    }
}

private struct Never2: ActivityAttributes {
    struct ContentState: Codable, Hashable {}
}
