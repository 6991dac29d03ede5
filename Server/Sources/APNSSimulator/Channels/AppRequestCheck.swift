import APNSWire
import EyotContract
import Foundation

/// The checks that channel requests and broadcasts share: the path names an app, the header a channel.
///
/// A function of the request, the clock, the configuration and the state of the connection. A guess, as for pushes:
/// which refusal wins if several apply.
struct AppRequestCheck {
    let request: APNSRequest
    let service: APNSEndpoint.Service
    let environment: PushEnvironment
    let teams: APNSTeams
    let rules: APNSRules
    let now: Date

    /// The app in the path, if the caller may use it and it has broadcast.
    func app(
        _ name: Substring, on connection: inout APNSConnectionState
    ) throws(APNSRefusal) -> ChannelRegistry.App {
        let check = ProviderTokenCheck(teams: teams, rules: rules, environment: environment, now: now)
        let caller = try connection.admit(authorization: request.authorization, check)
        try request.checkID(service)
        guard let app = teams.app(ofTopic: String(name)) else { throw APNSRefusal(.topicMismatch) }
        guard app.suffix.isEmpty else { throw APNSRefusal(.topicDisallowed) }
        guard let team = teams[caller.teamID], team.bundleIDs.contains(app.bundleID) else {
            throw APNSRefusal(.topicMismatch)
        }
        guard !team.appsWithoutBroadcast.contains(app.bundleID) else { throw APNSRefusal(.featureNotEnabled) }
        return ChannelRegistry.App(bundleID: app.bundleID, environment: environment)
    }

    func channelID() throws(APNSRefusal) -> APNSChannelID {
        guard let text = request.channelID, !text.isEmpty else { throw APNSRefusal(.missingChannelID) }
        guard let channel = APNSChannelID(text) else { throw APNSRefusal(.badChannelID) }
        return channel
    }

    /// The body as an object; there must be one.
    func bodyObject() throws(APNSRefusal) -> JSONObject {
        if request.bodyLength == 0 { throw APNSRefusal(.payloadEmpty) }
        if request.bodyLength > service.bodyLimit { throw APNSRefusal(.payloadTooLarge) }
        guard let object = (try? JSONValue(parsing: request.body))?.object else {
            throw APNSRefusal(.badRequestPayload)
        }
        return object
    }
}
