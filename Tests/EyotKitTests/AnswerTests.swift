import APNSWire
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("The server's answer is applied at once", .timeLimit(.minutes(10)))
struct AnswerTests {
    private static let now = 1_671_375_600

    @Test(
        "with the server's time, so that a phone whose clock is wrong shows the next push",
        arguments: [0, 3_600, -3_600])
    func appliedWithTimestamp(skew: Int) async throws {
        let rig = Rig(clockSkew: Double(skew))
        // The phone's clock would order an update of the app's own. A phone that is behind cannot accept a time more
        // than eight hours ahead of it. The test stays far below that.
        await rig.server.declare("final", version: 3, state: ["score": 3], timestamp: Double(Self.now))
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0 == .stateApplied(name: "final", version: 3) }
            #expect(try rig.card(instance).content.state == ["score": 3])
            #expect(try rig.card(instance).timestamp == Date(timeIntervalSince1970: Double(Self.now)))
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            try rig.push(to: rig.card(instance).updateToken, .update, score: 4, after: 1)
            #expect(try rig.card(instance).content.state == ["score": 4])
        }
    }

    @Test func `an answer that is older than what is shown changes nothing`() async throws {
        let rig = Rig()
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            await rig.server.declare("final", version: 1, state: ["score": 1], timestamp: Double(Self.now))
            try rig.push(to: rig.card(instance).updateToken, .update, score: 2, after: 5)
            try await eyot.event { $0 == .stateApplied(name: "final", version: 1) }
            #expect(try rig.card(instance).content.state == ["score": 2])
        }
    }

    @Test func `whoever comes back asks, since Apple keeps one push for an app that may have several cards`()
        async throws
    {
        let rig = Rig()
        try await rig.launch { eyot in
            var instances: [String] = []
            for name in ["final", "third"] {
                let activity = try rig.request(name)
                instances.append(activity.id)
                eyot.observe(activity)
            }
            let known = instances
            await rig.server.wait { books in
                known.allSatisfy { id in books.actions.contains { $0.updateToken?.instance == id } }
            }
            for name in ["final", "third"] {
                await rig.server.declare(name, version: 2, state: ["score": 2], timestamp: Double(Self.now) + 1)
            }
            eyot.retryNow()
            var applied: Set<String> = []
            while applied.count < 2 {
                let event = try await eyot.event { if case .stateApplied(_, 2) = $0 { true } else { false } }
                if case .stateApplied(let name, _) = event { applied.insert(name) }
            }
            for instance in instances { #expect(try rig.card(instance).content.state == ["score": 2]) }
        }
    }

    @Test("an end in an answer ends the card, and that is no swipe", arguments: [nil, now - 1])
    func ownEnd(dismissalDate: Int?) async throws {
        let rig = Rig()
        await rig.server.declare(
            "final", version: 9, ends: true, state: ["score": 4], dismissalDate: dismissalDate,
            timestamp: Double(Self.now))
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).content.state == ["score": 4])
            #expect(try rig.card(instance).phase == (dismissalDate == nil ? .ended : .dismissed))
            rig.phone.dismiss(card: instance)
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            let events = await rig.server.applied.compactMap(\.action.cardEvent).map(\.event)
            #expect(events.filter { $0 == .ended }.count == 1)
            #expect(!events.contains(.dismissed))
        }
    }

    /// Runs a phone with a clock that is behind. Its card is anna's and shows a push of this moment.
    private func cardFromTheFuture(_ rig: Rig, _ body: (Eyot, String) async throws -> Void) async throws {
        try await rig.launch { eyot in
            eyot.identify("anna")
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            try rig.push(to: rig.card(instance).updateToken, .update, score: 1, after: 1)
            #expect(try rig.card(instance).content.state == ["score": 1])
            try await body(eyot, instance)
        }
    }

    @Test("a card that is to go goes, though the phone's clock is behind what it shows", arguments: [true, false])
    func removedOnSlowPhone(appliesOlderEnd: Bool) async throws {
        var rules = PhoneRules()
        rules.appliesOlderEnd = appliesOlderEnd
        let rig = Rig(clockSkew: -3_600, rules: rules)
        try await cardFromTheFuture(rig) { eyot, instance in
            eyot.logout()
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: instance) } }
        }
    }

    @Test func `a card that the phone cannot end is not said to have ended, and is ended when it can`() async throws {
        var rules = PhoneRules()
        rules.appliesOlderEnd = false
        let rig = Rig(clockSkew: -28_000, rules: rules)
        try await cardFromTheFuture(rig) { eyot, instance in
            eyot.logout()
            await rig.server.wait { $0.actions.contains(.logout) }
            eyot.retryNow()
            eyot.addTags(["fans"])
            await rig.server.wait { $0.actions.contains(.profile(.init(tags: ["fans"]))) }
            #expect(try rig.card(instance).phase == .active)
            #expect(await !rig.server.books.actions.contains { $0.isEvent(.ended, of: instance) })
            rig.setClock(ahead: 0)
            rig.clock.advance(by: 2)
            eyot.retryNow()
            try await eyot.event { $0.isForgotten(instance) }
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: instance) } }
        }
    }

    @Test func `such a card is taken away by the next launch`() async throws {
        var rules = PhoneRules()
        rules.appliesOlderEnd = false
        let rig = Rig(clockSkew: -28_000, rules: rules)
        let gone = Guarded("")
        try await cardFromTheFuture(rig) { eyot, instance in
            gone.withLock { $0 = instance }
            eyot.logout()
            await rig.server.wait { $0.actions.contains(.logout) }
        }
        let instance = gone.withLock { $0 }
        #expect(try rig.card(instance).phase == .active)
        rig.setClock(ahead: 0)
        rig.clock.advance(by: 2)
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .dismissed)
        }
    }

    @Test func `a state that does not decode leaves the card alone, and is reported`() async throws {
        let rig = Rig()
        await rig.server.declare("final", version: 2, state: ["score": "two"], timestamp: Double(Self.now))
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            eyot.observe(activity)
            try await eyot.problem {
                if case .stateDidNotDecode("final", 2, let reason) = $0 { reason.hasPrefix("score: ") } else { false }
            }
            #expect(try rig.card(activity.id).content.state == ["score": 0])
            #expect(try rig.card(activity.id).phase == .active)
        }
    }

    @Test func `an end whose state does not decode ends the card all the same`() async throws {
        let rig = Rig()
        await rig.server.declare("final", version: 2, ends: true, state: ["score": "two"], timestamp: Double(Self.now))
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).content.state == ["score": 0])
            #expect(try rig.card(instance).phase == .ended)
        }
    }

    @Test func `before iOS 17.2 an update is left to the next push, an end is not`() async throws {
        let rig = Rig(os: IOSVersion(16, 4))
        await rig.server.declare("final", version: 2, state: ["score": 2], timestamp: Double(Self.now))
        try await rig.launch { eyot in
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            await rig.server.wait { $0.actions.contains { $0.updateToken != nil } }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.contains(.identify(user: "user-1")) }
            #expect(try rig.card(instance).content.state == ["score": 0])
            await rig.server.declare("final", version: 3, ends: true, state: ["score": 3], timestamp: Double(Self.now))
            rig.phone.rotateToken(ofCard: instance)
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).content.state == ["score": 3])
        }
    }
}
