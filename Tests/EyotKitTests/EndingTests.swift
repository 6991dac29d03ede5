import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("Only a person dismisses", .timeLimit(.minutes(10)))
struct EndingTests {
    /// Runs a phone with a followed card, by whichever way an end shows there.
    private func card(
        swipeEndsFirst: Bool, _ body: (Rig, Eyot, Activity<MatchAttributes>) async throws -> Void
    ) async throws {
        var rules = PhoneRules()
        rules.swipeEndsFirst = swipeEndsFirst
        let rig = Rig(rules: rules)
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let activity = try rig.request("final")
            let instance = activity.id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            try await body(rig, eyot, activity)
        }
    }

    /// How the card was told to have ended.
    private func end(_ rig: Rig, _ eyot: Eyot, _ instance: String) async throws -> [CardEvent] {
        try await eyot.event { $0.isForgotten(instance) }
        eyot.identify("anna")
        await rig.server.wait { $0.actions.last == .identify(user: "anna") }
        return await rig.server.books.actions.compactMap(\.cardEvent).filter { $0.instance == instance }.map(\.event)
            .filter(\.isOver)
    }

    @Test(arguments: [true, false])
    func `an end that the app announces is the app's, though the card goes at once`(swipeEndsFirst: Bool) async throws {
        try await card(swipeEndsFirst: swipeEndsFirst) { rig, eyot, activity in
            let instance = activity.id
            eyot.willEndLocally(activity)
            await activity.end(nil, dismissalPolicy: .immediate)
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.ended])
        }
    }

    @Test(arguments: [true, false])
    func `a change that the app announces explains the end that follows`(swipeEndsFirst: Bool) async throws {
        try await card(swipeEndsFirst: swipeEndsFirst) { rig, eyot, activity in
            let instance = activity.id
            eyot.willChangeLocally(activity)
            // A swipe shows as the app's own end does on a phone of the other kind.
            rig.phone.dismiss(card: instance)
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.ended])
        }
    }

    @Test(arguments: [true, false])
    func `an update of the app does not explain a swipe of the card that goes on`(waits: Bool) async throws {
        try await card(swipeEndsFirst: false) { rig, eyot, activity in
            let instance = activity.id
            eyot.willChangeLocally(activity)
            if waits {
                rig.clock.advance(by: 10)
            } else {
                await activity.update(ActivityContent(state: .init(score: 1), staleDate: nil))
                try await eyot.event { if case .card(_, .contentChanged) = $0 { true } else { false } }
            }
            rig.phone.dismiss(card: instance)
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.dismissed])
        }
    }

    @Test(arguments: [ActivityUIDismissalPolicy.immediate, .default])
    func `a card can be ended by its name`(policy: ActivityUIDismissalPolicy) async throws {
        try await card(swipeEndsFirst: true) { rig, eyot, activity in
            let instance = activity.id
            #expect(await !eyot.end(MatchAttributes.self, name: "another", dismissalPolicy: policy))
            #expect(await eyot.end(MatchAttributes.self, name: "final", dismissalPolicy: policy))
            if policy == .default {
                // The SDK looks whether the card goes at once.
                await rig.clock.waitForSleepers(1, of: 1)
                rig.clock.advance(by: 1)
            }
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.ended])
            let phase = try rig.card(instance).phase
            #expect(phase == (policy == .default ? .ended : .dismissed))
        }
    }

    @Test func `the switch in Settings is told before what it does to the cards, which no person removed`() async throws
    {
        try await card(swipeEndsFirst: false) { rig, eyot, activity in
            let instance = activity.id
            rig.phone.changeSettings { $0.activitiesEnabled = false }
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.ended])
            let actions = await rig.server.books.actions
            let off = DeviceChange.Action.permissions(.init(activities: false, frequentPushes: true))
            let told = try #require(actions.firstIndex(of: off))
            let ended = try #require(actions.firstIndex { $0.isEvent(.ended, of: instance) })
            #expect(told < ended)
        }
    }

    @Test func `a card that is swiped away long after the switch was turned is a person's`() async throws {
        var rules = PhoneRules()
        rules.disablingRemovesCards = false
        let rig = Rig(rules: rules)
        try await rig.launch { eyot in
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final").id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            rig.phone.changeSettings { $0.activitiesEnabled = false }
            try await eyot.event { if case .permissions(let now) = $0 { !now.activities } else { false } }
            rig.clock.advance(by: 10)
            rig.phone.dismiss(card: instance)
            let ends = try await end(rig, eyot, instance)
            #expect(ends == [.dismissed])
        }
    }
}
