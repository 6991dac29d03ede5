import EyotContract
import EyotKitAirship
import Foundation
import PhoneSimulator
import Testing

/// A ferry's crossing, as an app has it that comes from Airship's SDK.
struct CrossingAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var knots: Int
    }

    var crossing: String
}

/// Another type of the same app.
struct HarbourAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {}

    var harbour: String
}

@Suite("An app that comes from Airship", .timeLimit(.minutes(10)))
struct AirshipTests {
    private let rig = Rig(types: ["CrossingAttributes", "HarbourAttributes"])

    private func crossing(_ name: String) throws -> Activity<CrossingAttributes> {
        try rig.card(CrossingAttributes(crossing: name), .init(knots: 12))
    }

    /// What such an app does at every launch.
    private func didFinishLaunching() {
        Airship.channel.restoreLiveActivityTracking { restorer in
            await restorer.restore(forType: Activity<CrossingAttributes>.self)
        }
        Activity<CrossingAttributes>.airshipWatchActivities { activity in
            Airship.channel.trackLiveActivity(activity, name: activity.attributes.crossing)
        }
    }

    @Test func `is handed a card that is to begin later`() async throws {
        let rig = Rig(os: IOSVersion(26), types: ["CrossingAttributes", "HarbourAttributes"])
        try await rig.app { eyot in
            didFinishLaunching()
            let later = try Activity.request(
                attributes: CrossingAttributes(crossing: "dover"),
                content: ActivityContent(state: .init(knots: 0), staleDate: nil), pushType: .token, style: .standard,
                alertConfiguration: AlertConfiguration(title: "Off we go", body: "Dover", sound: .default),
                start: rig.clock.now() + 600)
            let instance = later.id
            try await eyot.event { $0.isFollowed(instance) }
        }
    }

    @Test func `tracks a card that the backend starts, and takes it up again after it was killed`() async throws {
        try await rig.app { _ in
            didFinishLaunching()
            try await rig.pushStart("CrossingAttributes", attributes: ["crossing": "dover"], state: ["knots": 12])
            await rig.server.wait { $0.named == ["dover"] }
        }
        let token = rig.phone.rotateToken(ofCard: try #require(rig.phone.state.cards.first?.id))
        try await rig.app { _ in
            // The name is known, so the app need not track it again.
            Airship.channel.restoreLiveActivityTracking { await $0.restore(forType: Activity<CrossingAttributes>.self) }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.token == token } }
        }
    }

    @Test func `leaves a card alone that it does not track, and nobody complains`() async throws {
        try await rig.app { eyot in
            Airship.channel.restoreLiveActivityTracking { await $0.restore(forType: Activity<CrossingAttributes>.self) }
            try await rig.pushStart("CrossingAttributes", attributes: ["crossing": "dover"], state: ["knots": 12])
            let own = try crossing("calais")
            Airship.channel.trackLiveActivity(own, name: "calais")
            try await eyot.event { event in
                if case .problem(let problem) = event { Issue.record("\(problem)") }
                return event
                    == .card(Card(instance: own.id, name: "calais", type: "CrossingAttributes"), .tokenConfirmed)
            }
            #expect(await rig.server.books.named == ["calais"])
        }
    }

    @Test func `hears how far a card has come, by name and by card`() async throws {
        try await rig.app { _ in
            var byName = Airship.channel.liveActivityRegistrationStatusUpdates(name: "dover").makeAsyncIterator()
            #expect(await byName.next() == .notTracked)
            let first = try crossing("dover")
            await rig.server.hold(.changes)
            Airship.channel.trackLiveActivity(first, name: "dover")
            #expect(await byName.next() == .pending)
            var byCard = Airship.channel.liveActivityRegistrationStatusUpdates(activity: first).makeAsyncIterator()
            #expect(await byCard.next() == .pending)
            await rig.server.wait { $0.requests.contains { $0.route == .changes } }
            await rig.server.release()
            #expect(await byName.next() == .registered)
            #expect(await byCard.next() == .registered)
            // Another card takes the name.
            Airship.channel.trackLiveActivity(try crossing("dover"), name: "dover")
            #expect(await byName.next() == .pending)
            #expect(await byCard.next() == .notTracked)
        }
    }

    @Test func `restores once in a launch; a second time is logged and ignored`() async throws {
        try await rig.app { eyot in
            Airship.channel.restoreLiveActivityTracking { await $0.restore(forType: Activity<CrossingAttributes>.self) }
            Airship.channel.restoreLiveActivityTracking { _ in Issue.record("this one is ignored") }
            try await eyot.problem { $0 == .calledAgain(call: "restoreLiveActivityTracking") }
            await rig.server.wait { $0.startable == ["CrossingAttributes"] }
        }
    }

    @Test func `takes back the start tokens of types that it does not restore any more`() async throws {
        try await rig.app { _ in
            Airship.channel.restoreLiveActivityTracking { restorer in
                await restorer.restore(forType: Activity<CrossingAttributes>.self)
                await restorer.restore(forType: Activity<HarbourAttributes>.self)
            }
            await rig.server.wait { $0.startable.count == 2 }
        }
        try await rig.app { _ in
            Airship.channel.restoreLiveActivityTracking { await $0.restore(forType: Activity<HarbourAttributes>.self) }
            await rig.server.wait { $0.startable == ["HarbourAttributes"] }
        }
    }

    @Test func `is set up from a plugin, once, and follows cards by the names in their attributes`() async throws {
        try await rig.app { _ in
            try await LiveActivityManager.shared.setup { configurator in
                await configurator.register(forType: Activity<CrossingAttributes>.self) { $0.crossing }
                await configurator.register(forType: Activity<HarbourAttributes>.self)
            }
            try await rig.pushStart("CrossingAttributes", attributes: ["crossing": "dover"], state: ["knots": 12])
            _ = try rig.card(HarbourAttributes(harbour: "hull"), .init())
            await rig.server.wait { $0.named == ["dover"] && $0.startable.count == 2 }
            await #expect(throws: LiveActivitySetupError.alreadyInitialized) {
                try await LiveActivityManager.shared.setup { _ in Issue.record("this one is refused") }
            }
        }
    }

    @Test func `says who uses it`() async throws {
        try await rig.app { _ in
            Airship.contact.identify("user-1")
            await rig.server.wait { $0.actions.contains(.identify(user: "user-1")) }
            Airship.contact.reset()
            await rig.server.wait { $0.actions.contains(.logout) }
        }
    }
}
