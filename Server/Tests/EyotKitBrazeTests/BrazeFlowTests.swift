import EyotContract
import EyotKitBraze
import EyotLab
import EyotTestKit
import PhoneSimulator
import Testing

/// A taxi on its way.
struct TaxiAttributes: ActivityAttributes, BrazeLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutes: Int
    }

    var plate: String
    var brazeActivityId: String?
}

/// The app of the guide, with a type of its own, against a real server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An app written for Braze's SDK` {
    private static let type = "TaxiAttributes"

    private func run(_ body: (AppLab) async throws -> Void) async throws {
        let launch: @Sendable (Eyot) -> Void = { _ in
            let braze = Braze()
            if #available(iOS 16.1, *) { braze.liveActivities.resumeActivities(ofType: Activity<TaxiAttributes>.self) }
            if #available(iOS 17.2, *) {
                braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            }
        }
        try await AppLab.run([LabType(TaxiAttributes.self)], launch: launch, body)
    }

    @Test func `has a card that the backend starts, updates, finds again after a kill, and ends`() async throws {
        try await run { app in
            try await app.start(
                "ride-7", Self.type, attributes: ["plate": "EY 08", "brazeActivityId": "ride-7"],
                state: ["minutes": 5])
            try await app.update("ride-7", state: ["minutes": 4])
            app.phone.forceQuit()
            try app.phone.rotateToken(.only)
            app.phone.launch()
            try await app.update("ride-7", state: ["minutes": 3])
            try await app.end("ride-7", state: ["minutes": 0])
        }
    }

    @Test func `has a card that it launches updated under its tag, hears of it, and stops by cancelling`() async throws
    {
        try await run { app in
            let (events, event) = AsyncStream.makeStream(of: Braze.LiveActivities.UpdateEvent.self)
            let (subscription, task) = try await app.phone.inApp { eyot in
                let braze = Braze(eyot: eyot)
                let subscription = braze.liveActivities.subscribeToStateUpdates { event.yield($0) }
                let taxi = try Activity.request(
                    attributes: TaxiAttributes(plate: "EY 08", brazeActivityId: nil),
                    content: ActivityContent(state: TaxiAttributes.ContentState(minutes: 5), staleDate: nil),
                    pushType: .token)
                let task = braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: taxi)
                return (subscription, try #require(task))
            }
            try await app.update("ride-8", state: ["minutes": 4])
            var heard: Set<String> = []
            for await event in events {
                guard case .activityInstance(let event) = event else { continue }
                heard.insert(String("\(event)".prefix { $0 != "(" }))
                if heard.isSuperset(of: ["started", "pushTokenUpdated", "pushTokenFlushed", "contentUpdated"]) {
                    break
                }
            }
            subscription.cancel()
            task.cancel()
            await task.value
            try await app.untilForgotten("ride-8")
            #expect(app.phone.state.cards.last?.phase == .active)
        }
    }

    @Test func `takes its types back, changes the person, and logs them out`() async throws {
        try await run { app in
            try await app.untilStartable([Self.type])
            try await app.phone.inApp { eyot in
                let braze = Braze(eyot: eyot)
                try await braze.liveActivities.unregisterPushToStart(types: ["taxi"])
                await #expect(throws: Braze.PushUnregistrationError.noPushToStartTokens) {
                    try await braze.liveActivities.unregisterPushToStart()
                }
                braze.changeUser(userId: "rider-9")
            }
            try await app.untilStartable([])
            try await app.untilUser(is: "rider-9")
            try await app.phone.inApp { eyot in
                let braze = Braze(eyot: eyot)
                try await braze.logout()
                #expect(!braze.enabled)
            }
            try await app.untilUser(is: nil)
        }
    }
}
