// Swift of docs/reference/vendor-apps.md, word for word, and each vendor's calls over types that no vendor's protocol
// frees of the main actor.
import EyotKitAirship
import EyotKitBraze
import EyotKitInsider
import EyotKitNetmera
import Foundation

struct SportsActivityAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var gameID: String
}

struct BrazeAttributes: ActivityAttributes, BrazeLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var brazeActivityId: String?
}

struct NetmeraAttributes: ActivityAttributes, NetmeraLiveActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var netmeraGroupId: String?
}

struct InsiderAttributes: InsiderLiveActivitiesAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var insiderLiveActivityId: InsiderLiveActivityIdentifier
}

func configure() {
    Eyot.configure(EyotConfiguration(server: URL(string: "https://eyot.example.com")!, appKey: "…"))
    Eyot.shared?.identify("user-1")
    Eyot.shared?.addTags(["fans"])
}

@available(iOS 16.2, *)
func airship() throws {
    Airship.channel.restoreLiveActivityTracking { restorer in
        await restorer.restore(forType: Activity<SportsActivityAttributes>.self)
    }
    Activity<SportsActivityAttributes>.airshipWatchActivities { activity in
        Airship.channel.trackLiveActivity(activity, name: activity.attributes.gameID)
    }
    let activity = try Activity.request(
        attributes: SportsActivityAttributes(gameID: "sports-game-123"),
        content: ActivityContent(state: SportsActivityAttributes.ContentState(status: ""), staleDate: nil),
        pushType: .token)
    Airship.channel.trackLiveActivity(activity, name: "sports-game-123")
}

@MainActor
func airshipPlugin() throws {
    try LiveActivityManager.shared.setup { configurator in
        await configurator.register(forType: Activity<SportsActivityAttributes>.self) { attributes in
            attributes.gameID
        }
    }
}

@available(iOS 17.2, *)
func others(_ braze: Braze, _ card: Activity<SportsActivityAttributes>, _ match: Activity<NetmeraAttributes>)
    async throws
{
    braze.liveActivities.registerPushToStart(forType: Activity<BrazeAttributes>.self, name: "Match")
    braze.liveActivities.resumeActivities(ofType: Activity<SportsActivityAttributes>.self)
    braze.liveActivities.launchActivity(pushTokenTag: "final", activity: card)
    Netmera.register(forType: Activity<NetmeraAttributes>.self, name: "match")
    Netmera.resumeObservingActivities(ofType: Activity<NetmeraAttributes>.self)
    Netmera.observeActivity(match)
    try await Insider.liveActivities.register(forType: Activity<InsiderAttributes>.self)
    try await Insider.liveActivities.resumeActivities(forType: Activity<InsiderAttributes>.self)
}
