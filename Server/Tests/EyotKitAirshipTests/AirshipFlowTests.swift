import EyotContract
import EyotKitAirship
import EyotLab
import EyotTestKit
import PhoneSimulator
import Testing

/// A ferry's crossing.
struct CrossingAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var knots: Int
    }

    var crossing: String
}

/// The app of the guide, with a type of its own, against a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An app written for Airship's SDK` {
    private static let type = "CrossingAttributes"

    /// The app with its own SDK.
    private static let native: @Sendable (Eyot) -> Void = { _ in
        Airship.channel.restoreLiveActivityTracking { restorer in
            await restorer.restore(forType: Activity<CrossingAttributes>.self)
        }
        Activity<CrossingAttributes>.airshipWatchActivities { activity in
            Airship.channel.trackLiveActivity(activity, name: activity.attributes.crossing)
        }
    }

    /// The app of a cross-framework plugin.
    private static let plugin: @Sendable (Eyot) async throws -> Void = { _ in
        if #available(iOS 16.1, *) {
            try await LiveActivityManager.shared.setup { configurator in
                await configurator.register(forType: Activity<CrossingAttributes>.self) { attributes in
                    attributes.crossing
                }
            }
        }
    }

    private func run(
        _ launch: @escaping @Sendable (Eyot) async throws -> Void = native, _ body: (AppLab) async throws -> Void
    ) async throws {
        try await AppLab.run([LabType(CrossingAttributes.self)], launch: launch, body)
    }

    @Test(
        "has a card that the backend starts, updates, finds again after a kill, and ends", arguments: [false, true])
    func remote(isPlugin: Bool) async throws {
        try await run(isPlugin ? Self.plugin : Self.native) { app in
            try await app.start("dover", Self.type, attributes: ["crossing": "dover"], state: ["knots": 12])
            try await app.update("dover", state: ["knots": 14])
            app.phone.forceQuit()
            try app.phone.rotateToken(.only)
            app.phone.launch()
            try await app.update("dover", state: ["knots": 16])
            try await app.end("dover", state: ["knots": 0])
        }
    }

    @Test func `has a card that it starts itself tracked under a name, and hears how far that is`() async throws {
        try await run { app in
            try await app.phone.inApp { _ in
                let crossing = try Activity.request(
                    attributes: CrossingAttributes(crossing: "calais"),
                    content: ActivityContent(state: CrossingAttributes.ContentState(knots: 3), staleDate: nil),
                    pushType: .token)
                Airship.channel.trackLiveActivity(crossing, name: "calais")
                for await status in Airship.channel.liveActivityRegistrationStatusUpdates(name: "calais") {
                    if status == .registered { break }
                }
                for await status in Airship.channel.liveActivityRegistrationStatusUpdates(activity: crossing) {
                    if status == .registered { break }
                }
            }
            try await app.update("calais", state: ["knots": 5])
            // The app may change it, too, and end it.
            try await app.phone.inApp { _ in
                let crossings = Activity<CrossingAttributes>.activities
                let crossing = try #require(crossings.first { $0.attributes.crossing == "calais" })
                await crossing.update(ActivityContent(state: .init(knots: 6), staleDate: nil))
                #expect(crossing.content.state.knots == 6)
                await crossing.end(ActivityContent(state: .init(knots: 0), staleDate: nil), dismissalPolicy: .default)
            }
            try await app.untilShown(["knots": 0], .ended)
        }
    }

    @Test func `restores once, is set up once, and says who uses it`() async throws {
        try await run { app in
            try await app.untilStartable([Self.type])
            try await app.phone.inApp { eyot in
                let events = eyot.events
                Airship.channel.restoreLiveActivityTracking { _ in Issue.record("this one is ignored") }
                for await event in events {
                    if event == .problem(.calledAgain(call: "restoreLiveActivityTracking")) { break }
                }
                try await LiveActivityManager.shared.setup { _ in }
                await #expect(throws: LiveActivitySetupError.self) {
                    try await LiveActivityManager.shared.setup { _ in }
                }
                Airship.contact.identify("skipper")
            }
            try await app.untilUser(is: "skipper")
            try await app.phone.inApp { _ in Airship.contact.reset() }
            try await app.untilUser(is: nil)
        }
    }
}
