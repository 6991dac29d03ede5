import EyotContract
import EyotKitBraze
import Foundation
import PhoneSimulator
import Testing

/// A taxi, as an app has it that comes from Braze's SDK.
struct TaxiAttributes: ActivityAttributes, BrazeLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutes: Int
    }

    var plate: String
    var brazeActivityId: String?
}

@Suite("An app that comes from Braze", .timeLimit(.minutes(10)))
struct BrazeTests {
    private let rig = Rig(types: ["TaxiAttributes"])

    private func taxi() throws -> Activity<TaxiAttributes> {
        try rig.card(TaxiAttributes(plate: "EY 08", brazeActivityId: nil), .init(minutes: 5))
    }

    @Test func `has its cards started by the backend, followed, and taken up again after it was killed`() async throws {
        try await rig.app { _ in
            Braze().liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            try await rig.pushStart(
                "TaxiAttributes", attributes: ["plate": "EY 08", "brazeActivityId": "ride-7"], state: ["minutes": 5])
            await rig.server.wait { $0.named == ["ride-7"] }
        }
        let token = rig.phone.rotateToken(ofCard: try #require(rig.phone.state.cards.first?.id))
        try await rig.app { _ in
            Braze().liveActivities.resumeActivities(ofType: Activity<TaxiAttributes>.self)
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `has a card followed under its tag, and nobody complains that it had no name before`() async throws {
        try await rig.app { eyot in
            let braze = Braze(eyot: eyot)
            braze.liveActivities.resumeActivities(ofType: Activity<TaxiAttributes>.self)
            let activity = try taxi()
            let instance = activity.id
            let task = try #require(
                braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity))
            try await eyot.event { event in
                if case .problem(let problem) = event { Issue.record("\(problem)") }
                return event == .card(Card(instance: instance, name: "ride-8", type: "TaxiAttributes"), .tokenConfirmed)
            }
            rig.phone.dismiss(card: instance)
            await task.value
        }
    }

    @Test func `stops following a card by cancelling its task`() async throws {
        try await rig.app { eyot in
            let activity = try taxi()
            let instance = activity.id
            let task = try #require(
                Braze().liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity))
            await rig.server.wait { $0.named == ["ride-8"] }
            task.cancel()
            try await eyot.event { $0.isForgotten(instance) }
            #expect(try rig.card(instance).phase == .active)
        }
    }

    @Test func `hears of a card that nobody has named after a while`() async throws {
        try await rig.app { eyot in
            Braze().liveActivities.resumeActivities(ofType: Activity<TaxiAttributes>.self)
            let instance = try taxi().id
            await rig.server.wait { !$0.actions.isEmpty }
            await rig.clock.waitForSleepers(1, of: TokenAbsence.patience)
            rig.clock.advance(by: TokenAbsence.patience)
            try await eyot.problem { $0 == .nameMissing(type: "TaxiAttributes", instance: instance) }
        }
    }

    @Test func `hears what happens from now on, and nothing of what was before`() async throws {
        try await rig.app { eyot in
            let braze = Braze()
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            try await eyot.event { $0 == .startToken(type: "TaxiAttributes", .confirmed) }
            let (events, event) = AsyncStream.makeStream(of: Braze.LiveActivities.UpdateEvent.self)
            let subscription = braze.liveActivities.subscribeToStateUpdates { event.yield($0) }
            let activity = try taxi()
            let id = activity.id
            braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity)
            await rig.server.wait { $0.named == ["ride-8"] }
            let staleDate = rig.clock.now() + 60
            await activity.update(ActivityContent(state: .init(minutes: 4), staleDate: staleDate))
            rig.clock.advance(by: 61)
            rig.phone.advance()
            try await eyot.event { if case .card(_, .becameStale) = $0 { true } else { false } }
            rig.phone.dismiss(card: id)
            var heard: [Braze.LiveActivities.UpdateEvent] = []
            for await event in events {
                heard.append(event)
                if case .activityInstance(.dismissed) = event { break }
            }
            let card = (activityId: id, activityType: "TaxiAttributes", pushTokenTag: "ride-8")
            #expect(
                heard.first
                    == .activityInstance(
                        .started(
                            activityId: id, activityType: card.activityType, pushTokenTag: card.pushTokenTag,
                            launchSource: .local)))
            func contains(_ event: (String, String, String) -> Braze.LiveActivities.ActivityInstanceEvent) -> Bool {
                heard.contains(.activityInstance(event(card.activityId, card.activityType, card.pushTokenTag)))
            }
            #expect(contains { .pushTokenUpdated(activityId: $0, activityType: $1, pushTokenTag: $2) })
            #expect(contains { .pushTokenFlushed(activityId: $0, activityType: $1, pushTokenTag: $2) })
            #expect(contains { .active(activityId: $0, activityType: $1, pushTokenTag: $2) })
            #expect(contains { .contentUpdated(activityId: $0, activityType: $1, pushTokenTag: $2) })
            #expect(contains { .stale(activityId: $0, activityType: $1, pushTokenTag: $2, staleDate: staleDate) })
            subscription.cancel()
        }
    }
}
