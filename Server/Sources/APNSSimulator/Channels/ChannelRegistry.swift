import APNSWire
import EyotContract
import Foundation

/// The channels that exist, by app and environment.
struct ChannelRegistry: Sendable {
    /// One app in one environment: channels of the sandbox are not those of production.
    struct App: Sendable, Hashable {
        let bundleID: String
        let environment: PushEnvironment
    }

    private struct Channels {
        var order: [APNSChannelID] = []
        var descriptions: [APNSChannelID: APNSChannelDescription] = [:]
    }

    /// How many channels an app may have in one environment.
    let limit: Int
    /// How many broadcasts they take.
    var pace: BroadcastPace
    private var apps: [App: Channels] = [:]

    init(limits: APNSSimulatorLimits) {
        limit = limits.channels
        pace = BroadcastPace(limit: limits.broadcastsPerMinute)
    }

    /// In the order in which they were made.
    func channels(of app: App) -> [APNSChannelID] { apps[app]?.order ?? [] }

    func description(of channel: APNSChannelID, of app: App) throws(APNSRefusal) -> APNSChannelDescription {
        guard let description = apps[app]?.descriptions[channel] else { throw APNSRefusal(.channelNotRegistered) }
        return description
    }

    /// Performs a request.
    mutating func perform(_ request: ChannelRequest, of app: App) throws(APNSRefusal) -> APNSSuccess {
        switch request {
        case .create(let description):
            return APNSSuccess(status: 201, channelID: try create(description, of: app))
        case .read(let channel):
            return APNSSuccess(content: try description(of: channel, of: app).json)
        case .delete(let channel):
            _ = try description(of: channel, of: app)
            apps[app]?.descriptions[channel] = nil
            apps[app]?.order.removeAll { $0 == channel }
            pace.forget(channel)
            return APNSSuccess(status: 204)
        case .list:
            let list = channels(of: app).map { JSONValue.string($0.text) }
            return APNSSuccess(content: .object(JSONObject([(APNSChannelDescription.listKey, .array(list))])))
        }
    }

    private mutating func create(
        _ description: APNSChannelDescription, of app: App
    ) throws(APNSRefusal) -> APNSChannelID {
        let count = apps[app]?.order.count ?? 0
        // Sixteen random bytes: an id is never given out again.
        let bytes = withUnsafeBytes(of: UUID().uuid) { Data($0) }
        guard count < limit, let channel = APNSChannelID(bytes.base64EncodedString()) else {
            throw APNSRefusal(.cannotCreateChannelConfig)
        }
        apps[app, default: Channels()].order.append(channel)
        apps[app, default: Channels()].descriptions[channel] = description
        return channel
    }
}
