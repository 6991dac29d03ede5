import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("What the SDK tells its app", .timeLimit(.minutes(10)))
struct TellingTests {
    private let rig = Rig()

    @Test func `the app hears what the person allows, at the start and when it changes, once each`() async throws {
        try await rig.launch { eyot in
            try await eyot.event { $0 == .permissions(DevicePermissions(activities: true, frequentPushes: true)) }
            rig.phone.changeSettings { $0.frequentPushesEnabled = false }
            let next = try await eyot.event { if case .permissions = $0 { true } else { false } }
            #expect(next == .permissions(DevicePermissions(activities: true, frequentPushes: false)))
        }
    }

    @Test func `a type that is registered or resumed while Live Activities are off is reported`() async throws {
        rig.phone.changeSettings { $0.activitiesEnabled = false }
        try await rig.launch { eyot in
            try await eyot.problem { $0 == .authorizationDenied }
            eyot.register(MatchAttributes.self)
            try await eyot.problem { $0 == .authorizationDenied }
            eyot.resume(MatchAttributes.self)
            try await eyot.problem { $0 == .authorizationDenied }
            rig.phone.changeSettings { $0.activitiesEnabled = true }
            try await eyot.event { if case .permissions(let now) = $0 { now.activities } else { false } }
        }
    }

    @Test func `an app that does not declare Live Activities hears which key is missing`() async throws {
        var configuration = rig.configuration
        configuration.capabilities.isDeclared = false
        try await rig.launch(as: configuration) { eyot in
            try await eyot.problem { $0 == .infoPlistKeyMissing(key: "NSSupportsLiveActivities") }
        }
    }

    @Test func `where there are no Live Activities the SDK says so, and does nothing`() async throws {
        let log = Guarded<[String]>([])
        var configuration = rig.configuration
        configuration.capabilities = Capabilities(iOS: 16, 1)
        configuration.log = { line in log.withLock { $0.append(line) } }
        let eyot = Eyot(configuration: configuration, transport: rig.server)
        await eyot.run()
        var events: [EyotEvent] = []
        for await event in eyot.events { events.append(event) }
        #expect(events == [.problem(.systemTooOld(osVersion: "16.1"))])
        #expect(log.withLock(\.count) == 1)
    }

    @Test func `a card without a token is missed after a minute, with the likeliest reason`() async throws {
        try await rig.launch { eyot in
            let activity = try Activity.request(
                attributes: MatchAttributes(home: "ARG", eyotActivityName: "final"),
                content: ActivityContent(state: MatchAttributes.ContentState(score: 0), staleDate: nil))
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isFollowed(instance) }
            await rig.clock.waitForSleepers(1, of: TokenAbsence.patience)
            rig.clock.advance(by: TokenAbsence.patience)
            try await eyot.problem {
                $0 == .tokenMissing(name: "final", instance: instance, likely: .requestedWithoutToken)
            }
        }
    }

    @Test func `a card that was started by a push and is not allowed yet is missed as such`() async throws {
        rig.phone.changeSettings { $0.allowed = .never }
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            eyot.resume(MatchAttributes.self)
            await rig.server.wait { $0.actions.contains { $0.startToken != nil } }
            try rig.push(to: rig.phone.state.startToken, .start, score: 0, name: "final")
            try await eyot.event { $0.follows("final") }
            // The start token's follower waits as long.
            await rig.clock.waitForSleepers(2, of: TokenAbsence.patience)
            rig.clock.advance(by: TokenAbsence.patience)
            try await eyot.problem {
                if case .tokenMissing("final", _, .notAllowedYet) = $0 { true } else { false }
            }
        }
    }

    @Test func `a card's life is told step by step`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            let card = Card(instance: instance, name: "final", type: "MatchAttributes")
            eyot.observe(activity)
            try await eyot.event { $0 == .card(card, .followed(.app)) }
            try await eyot.event { $0 == .card(card, .tokenConfirmed) }
            try rig.push(to: rig.card(instance).updateToken, .update, score: 1, after: 1)
            try await eyot.event { $0 == .card(card, .contentChanged) }
            rig.phone.dismiss(card: instance)
            try await eyot.event { $0 == .card(card, .stage(.dismissed)) }
            try await eyot.event { $0 == .card(card, .forgotten) }
        }
    }

    @Test func `a start token is told from the phone to the server, and back`() async throws {
        try await rig.launch { eyot in
            eyot.register(MatchAttributes.self)
            for step in [StartTokenStep.seen, .confirmed] {
                try await eyot.event { $0 == .startToken(type: "MatchAttributes", step) }
            }
            eyot.unregister(MatchAttributes.self)
            for step in [StartTokenStep.removed, .removalConfirmed] {
                try await eyot.event { $0 == .startToken(type: "MatchAttributes", step) }
            }
        }
    }

    @Test func `the content that a card shows is told by a digest, which a backend's own spelling has too`()
        async throws
    {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { if case .card(_, .tokenConfirmed) = $0 { true } else { false } }
            try rig.push(to: rig.card(instance).updateToken, .update, score: 7, after: 1)
            let digest = StateDigest(of: try JSONValue(parsing: Array(#"{ "note": null, "score": 7.0 }"#.utf8)))
            await rig.server.wait { books in
                books.actions.contains {
                    if case .cardEvent(_, .contentApplied, let told) = $0 { told == digest } else { false }
                }
            }
        }
    }

    @Test func `a tap on a card is told, and one on a card that is not followed is not`() async throws {
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isFollowed(instance) }
            eyot.tapped("another")
            eyot.tapped("final")
            await rig.server.wait { $0.actions.contains { $0.isEvent(.tapped, of: instance) } }
            #expect(await rig.server.books.actions.filter { $0.cardEvent?.event == .tapped }.count == 1)
        }
    }

    @Test func `everybody who listens hears everything, and the first also what was before`() async throws {
        let eyot = Eyot(configuration: rig.configuration, transport: rig.server)
        for _ in 0...1_000 { eyot.retryNow() }
        var first = eyot.events.makeAsyncIterator()
        var second = eyot.events.makeAsyncIterator()
        #expect(await first.next() == .problem(.tooManyOrders))
        eyot.retryNow()
        #expect(await first.next() == .problem(.tooManyOrders))
        #expect(await second.next() == .problem(.tooManyOrders))
    }

    @Test func `tokens are written to the app's log, shortened`() async throws {
        let lines = Guarded<[String]>([])
        var configuration = rig.configuration
        configuration.log = { line in lines.withLock { $0.append(line) } }
        try await rig.launch(as: configuration) { eyot in
            eyot.register(MatchAttributes.self)
            try await eyot.event { $0 == .startToken(type: "MatchAttributes", .confirmed) }
            let activity = try Activity.request(
                attributes: MatchAttributes(home: "ARG", eyotActivityName: "final"),
                content: ActivityContent(state: MatchAttributes.ContentState(score: 0), staleDate: nil),
                pushType: .token)
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event {
                guard case .card(let card, .tokenConfirmed) = $0 else { return false }
                return card.instance == instance
            }
        }
        let written = lines.withLock { $0 }
        let shortened = /[0-9a-f]{4}…[0-9a-f]{4} \(\d+ bytes\)/
        #expect(written.contains { $0.hasPrefix("Eyot: the phone has a start token for MatchAttributes: ") })
        #expect(written.contains { $0.hasPrefix("Eyot: the card final has an update token: ") })
        #expect(written.filter { $0.contains("token") }.allSatisfy { $0.contains(shortened) }, "\(written)")
        // No log has a token that a push could be sent to.
        #expect(written.allSatisfy { !$0.contains(/[0-9a-f]{16}/) })
    }

    @Test func `problems are written to the app's log, in words and without tokens`() async throws {
        let lines = Guarded<[String]>([])
        var configuration = rig.configuration
        configuration.log = { line in lines.withLock { $0.append(line) } }
        try await rig.launch(as: configuration) { eyot in
            eyot.unregister(name: "nobody")
            try await eyot.problem { $0 == .notRegistered(type: "nobody") }
        }
        #expect(lines.withLock { $0 } == ["Eyot: nobody is not registered"])
    }
}
