import EyotContract
import EyotKitAirship
import PhoneSimulator
import Testing

@testable import EyotKit

/// A type as Xcode's project template makes it: tied to the main actor, with all of its conformances.
@MainActor
struct TiedAttributes: @MainActor ActivityAttributes {
    @MainActor
    struct ContentState: @MainActor Codable, @MainActor Hashable {
        var score: Int
    }

    var game: String
}

/// The same with a name of ours. Its conformance to `EyotActivityAttributes` is tied to no actor.
struct NamedAttributes: ActivityAttributes, EyotActivityAttributes {
    struct ContentState: Codable, Hashable {
        var score: Int
    }

    var eyotActivityName: String?
}

@Suite("Types that are tied to the main actor")
struct IsolatedTypeTests {
    private let rig = Rig(types: ["TiedAttributes", "NamedAttributes"])

    @MainActor
    private func request(_ game: String) throws -> String {
        try Activity.request(
            attributes: TiedAttributes(game: game),
            content: ActivityContent(state: TiedAttributes.ContentState(score: 0), staleDate: nil), pushType: .token
        ).id
    }

    @MainActor
    private func launch(_ eyot: Eyot) {
        eyot.register(TiedAttributes.self)
        eyot.resume(TiedAttributes.self) { $0.game }
    }

    @MainActor
    private func launchWithAirship() {
        Airship.channel.restoreLiveActivityTracking { restorer in
            await restorer.restore(forType: Activity<TiedAttributes>.self)
        }
        Activity<TiedAttributes>.airshipWatchActivities { activity in
            Airship.channel.trackLiveActivity(activity, name: activity.attributes.game)
        }
    }

    @Test func `a card is followed under the name that a closure reads, and shows what the server answers`()
        async throws
    {
        let later = rig.clock.now().timeIntervalSince1970 + 5
        await rig.server.declare("final", version: 4, state: ["score": 3], timestamp: later)
        try await rig.launch { eyot in
            let instance = try await request("final")
            rig.clock.advance(by: 10)
            await launch(eyot)
            try await eyot.event { $0.isFollowed(instance) }
            try await eyot.event { $0 == .stateApplied(name: "final", version: 4) }
            #expect(try rig.card(instance).content.state == ["score": 3])
            await rig.server.wait { $0.startable == ["TiedAttributes"] }
        }
    }

    @Test func `a card is followed by a vendor's calls`() async throws {
        try await rig.app { eyot in
            await launchWithAirship()
            try await rig.pushStart("TiedAttributes", attributes: ["game": "final"], state: ["score": 1])
            try await eyot.event { $0.follows("final") }
        }
    }

    @Test func `a name in our member is read on any thread`() async throws {
        try await rig.launch { eyot in
            let card = try Activity.request(
                attributes: NamedAttributes(eyotActivityName: "final"),
                content: ActivityContent(state: NamedAttributes.ContentState(score: 0), staleDate: nil),
                pushType: .token)
            eyot.observe(card)
            try await eyot.event { $0.follows("final") }
        }
    }

    @Test func `an iPhone app on a Mac hears why nothing happens, and ActivityKit is not asked`() async throws {
        var configuration = rig.configuration
        configuration.capabilities = Capabilities(iOS: 18, 1).onMac
        try await rig.launch(as: configuration) { eyot in
            eyot.register(NamedAttributes.self)
            eyot.resume(NamedAttributes.self)
            try await eyot.problem { $0 == .unavailableOnMac }
        }
        #expect(await rig.server.books.registrations.isEmpty)
    }
}
