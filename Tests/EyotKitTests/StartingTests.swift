import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Starting a card with the backend's state", .timeLimit(.minutes(10)))
struct StartingTests {
    private let rig = Rig(os: IOSVersion(26))

    private func registered(_ eyot: Eyot) async throws {
        try await eyot.event { if case .registered = $0 { true } else { false } }
    }

    @Test func `shows what is declared, by the backend's attributes or the app's, and is followed`() async throws {
        await rig.server.declare("final", version: 4, state: ["score": 3], timestamp: 0)
        await rig.server.setAttributes(["home": "FRA", "eyotActivityName": "final"], of: "final")
        try await rig.launch { eyot in
            try await registered(eyot)
            let first = try await eyot.start(MatchAttributes.self, name: "final")
            #expect(try rig.card(first).content.state == ["score": 3])
            #expect(try rig.card(first).attributes.object?["home"]?.string == "FRA")
            try await eyot.event { $0.isFollowed(first) }
            let second = try await eyot.start(
                MatchAttributes.self, name: "final", attributes: MatchAttributes(home: "ARG", eyotActivityName: nil))
            #expect(try rig.card(second).attributes.object?["home"]?.string == "ARG")
            try await eyot.event { $0.isForgotten(first) }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == second } }
        }
    }

    @Test func `may begin later, as the system does it from iOS 26 on`() async throws {
        await rig.server.declare("final", version: 1, state: ["score": 0], timestamp: 0)
        let later = LaterStart(
            date: rig.clock.now() + 600, alert: AlertConfiguration(title: "Kick-off", body: "Now", sound: .default))
        try await rig.launch { eyot in
            try await registered(eyot)
            let instance = try await eyot.start(
                MatchAttributes.self, name: "final", attributes: MatchAttributes(home: "ARG"), later: later)
            #expect(try rig.card(instance).phase == .pending)
            try await eyot.event {
                if case .card(let card, .stage(.pending)) = $0 { card.instance == instance } else { false }
            }
            rig.clock.advance(by: 601)
            rig.phone.advance()
            try await eyot.event {
                if case .card(let card, .stage(.active)) = $0 { card.instance == instance } else { false }
            }
        }
        let old = Rig(os: IOSVersion(18))
        try await old.launch { eyot in
            await #expect(throws: CardStartFailure.unavailable) {
                try await eyot.start(MatchAttributes.self, name: "final", later: later)
            }
        }
    }

    @Test func `says what is missing`() async throws {
        await rig.server.declare("final", version: 4, state: ["score": 3], timestamp: 0)
        await rig.server.declare("odd", version: 4, state: ["points": 3], timestamp: 0)
        await rig.server.setAttributes(["home": "FRA"], of: "odd")
        let unregistered = Eyot(configuration: rig.configuration, transport: rig.server)
        await #expect(throws: CardStartFailure.notRegistered) {
            try await unregistered.start(MatchAttributes.self, name: "final")
        }
        try await rig.launch { eyot in
            try await registered(eyot)
            await #expect(throws: CardStartFailure.nothingDeclared(name: "other")) {
                try await eyot.start(MatchAttributes.self, name: "other")
            }
            await #expect(throws: CardStartFailure.attributesMissing(name: "final")) {
                try await eyot.start(MatchAttributes.self, name: "final")
            }
            do {
                try await eyot.start(MatchAttributes.self, name: "odd")
                Issue.record("a state without a score decoded")
            } catch CardStartFailure.doesNotDecode(let reason) {
                #expect(reason.contains("score"))
            }
            await rig.server.plan(.card, [.status(500), .lost])
            for _ in 0..<2 {
                do {
                    try await eyot.start(MatchAttributes.self, name: "final")
                    Issue.record("started without an answer")
                } catch CardStartFailure.server(let reason) {
                    #expect(!reason.isEmpty)
                }
            }
            rig.phone.changeSettings { $0.activitiesEnabled = false }
            await #expect(throws: ActivityAuthorizationError.denied) {
                try await eyot.start(
                    MatchAttributes.self, name: "final", attributes: MatchAttributes(home: "ARG"))
            }
        }
    }
}
