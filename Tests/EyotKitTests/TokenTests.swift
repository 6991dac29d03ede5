import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Tokens reach the server", .underEverySwitch, .timeLimit(.minutes(10)))
struct TokenTests {
    private let rig = Rig()

    @Test func `a token that comes before the registration is kept`() async throws {
        await rig.server.plan(.register, [.status(503), .lost])
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            let activity = try rig.request("final")
            eyot.observe(activity)
            eyot.identify("user-1")
            #expect(await rig.clock.nextSleep() == 0.5)
            #expect(await rig.server.registrations.isEmpty)
            rig.clock.advance(by: 1)
            #expect(await rig.clock.nextSleep() == 1)
            rig.clock.advance(by: 1)
            let start = rig.phone.state.startToken
            let update = try rig.card(activity.id).updateToken
            await rig.server.wait { books in
                books.actions.contains { $0.startToken == start } && books.actions.contains(.identify(user: "user-1"))
                    && books.actions.contains { $0.updateToken?.token == update }
            }
        }
    }

    @Test func `an app killed during an upload tells it again at its next launch`() async throws {
        await rig.server.plan(.changes, [.hang])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            await rig.server.wait { $0.requests.contains { $0.route == .changes } }
            #expect(await rig.server.applied.isEmpty)
        }
        try await rig.launch { _ in
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
        // The installation is the same, and was registered once.
        #expect(await rig.server.registrations.count == 1)
    }

    @Test func `an answer that is lost makes nothing happen twice`() async throws {
        await rig.server.plan(.changes, [.answerLost])
        try await rig.launch { eyot in
            eyot.identify("user-1")
            _ = await rig.clock.nextSleep()
            rig.clock.advance(by: 1)
            try await eyot.event { $0 == .confirmed(changes: 1) }
            #expect(await rig.server.applied.map(\.action) == [.identify(user: "user-1")])
        }
    }

    @Test func `a token that rotates replaces the one that is not sent yet`() async throws {
        await rig.server.plan(.register, [.status(503)])
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isFollowed(instance) }
            let first = try #require(rig.phone.state.card(instance)?.updateToken)
            let second = try #require(rig.phone.rotateToken(ofCard: instance))
            _ = await rig.clock.nextSleep()
            rig.clock.advance(by: 1)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == second } }
            // And one that rotates later follows.
            let third = try #require(rig.phone.rotateToken(ofCard: instance))
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == third } }
            #expect(await rig.server.applied.compactMap(\.action.updateToken).last?.token == third)
            #expect(first != second)
        }
    }

    @Test func `a start token is told once, again after a day, and when it changes`() async throws {
        func told() async -> [PushToken] { await rig.server.applied.compactMap(\.action.startToken) }
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
        }
        let token = try #require(rig.phone.state.startToken)
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.identify("user-1")
            try await eyot.event { $0 == .confirmed(changes: 1) }
        }
        #expect(await told() == [token])
        rig.clock.advance(by: 86_401)
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.actions.filter { $0.startToken == token }.count == 2 }
            let next = try #require(rig.phone.rotateStartToken())
            await rig.server.wait { $0.actions.contains { $0.startToken == next } }
        }
    }

    @Test func `a start token is told again while the app runs for days`() async throws {
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            try await eyot.event { $0 == .confirmed(changes: 1) }
            rig.clock.advance(by: 86_401)
            try await eyot.event { $0 == .confirmed(changes: 1) }
            #expect(await rig.server.applied.compactMap(\.action.startToken).count == 2)
        }
    }

    @Test func `a type that is taken back is told, one that was never registered is only reported`() async throws {
        try await rig.launch { eyot in
            eyot.unregister(MatchAttributes.self)
            try await eyot.problem { $0 == .notRegistered(type: "MatchAttributes") }
            eyot.register(MatchAttributes.self)
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.unregister(MatchAttributes.self)
            await rig.server.wait { $0.actions.last == .removeStartToken(type: "MatchAttributes") }
            // And can be wanted again.
            let token = rig.phone.state.startToken
            eyot.register(MatchAttributes.self)
            await rig.server.wait { $0.actions.last?.startToken == token }
        }
    }

    @Test func `a registration is taken back by its name, in the next launch too, and an unknown name changes nothing`()
        async throws
    {
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self, name: "matches")
            try await eyot.event { $0 == .confirmed(changes: 1) }
            eyot.unregister(name: "Matches")
            try await eyot.problem { $0 == .notRegistered(type: "Matches") }
            eyot.register(MatchAttributes.self, name: "")
            try await eyot.problem { $0 == .registrationNameInvalid(type: "MatchAttributes") }
        }
        try await rig.launch { eyot in
            eyot.unregister(name: "matches")
            await rig.server.wait { $0.actions.last == .removeStartToken(type: "MatchAttributes") }
            eyot.unregister(name: "matches")
            try await eyot.problem { $0 == .notRegistered(type: "matches") }
        }
    }

    @Test func `before iOS 17.2 there is no start token, and the app hears so`() async throws {
        let rig = Rig(os: IOSVersion(16, 4))
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            try await eyot.problem { $0 == .startTokensUnavailable(type: "MatchAttributes", osVersion: "16.4") }
        }
    }
}
