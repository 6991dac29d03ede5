import APNSWire
import EyotContract
import Foundation

/// The checks of a request for a push to a token: all of Apple's that need no phone.
///
/// A function of the request, the clock, the configuration and the state of the connection. It does no I/O.
struct APNSRequestCheck {
    let request: APNSRequest
    let environment: PushEnvironment
    let teams: APNSTeams
    let rules: APNSRules
    let now: Date
    /// The sender's `apns-id`, or the one made for it.
    let id: String

    private var pathToken = ""
    private var token: PushToken?
    private var teamID: String?
    private var app: (bundleID: String, suffix: String)?
    private var pushType: APNSPushType?
    private var priority = APNSPriority.immediate
    private var expiration: Int?

    init(
        _ request: APNSRequest, environment: PushEnvironment, teams: APNSTeams, rules: APNSRules, now: Date, id: String
    ) {
        self.request = request
        self.environment = environment
        self.teams = teams
        self.rules = rules
        self.now = now
        self.id = id
    }

    /// The push that may go to a phone, or the first refusal in the order of the rules.
    mutating func push(on connection: inout APNSConnectionState) throws(APNSRefusal) -> ReceivedPush {
        for check in rules.order { try make(check, on: &connection) }
        // Every check stands in the order, so everything has been read; the reasons below cannot be reached.
        guard let token else { throw APNSRefusal(.badDeviceToken) }
        guard let topic = request.topic, let app else { throw APNSRefusal(.missingTopic) }
        guard let pushType else { throw APNSRefusal(.invalidPushType) }
        return ReceivedPush(
            token: token, environment: environment, topic: topic, bundleID: app.bundleID, pushType: pushType,
            priority: priority, expiration: expiration, collapseID: request.collapseID, id: id,
            payload: request.body, receivedAt: now)
    }

    private mutating func make(_ check: APNSCheck, on connection: inout APNSConnectionState) throws(APNSRefusal) {
        switch check {
        case .duplicateHeaders:
            if request.duplicate != nil { throw APNSRefusal(.duplicateHeaders) }
        case .method:
            if request.method != "POST" { throw APNSRefusal(.methodNotAllowed) }
        case .path: try readPath()
        case .providerToken: try readProviderToken(on: &connection)
        case .deviceToken: try readDeviceToken()
        case .messageID: try request.checkID(.push)
        case .topic: try readTopic()
        case .pushType: try readPushType()
        case .priority: priority = try request.readPriority() ?? .immediate
        case .expiration: expiration = try request.readExpiration()
        case .collapseID:
            if let id = request.collapseID, id.utf8.count > APNSLimits.collapseIDBytes {
                throw APNSRefusal(.badCollapseID)
            }
        case .payloadSize:
            if request.bodyLength == 0 { throw APNSRefusal(.payloadEmpty) }
            if request.bodyLength > APNSLimits.payloadBytes { throw APNSRefusal(.payloadTooLarge) }
        case .payload: try readPayload()
        }
    }
}

// MARK: - The checks that read something

extension APNSRequestCheck {
    private mutating func readPath() throws(APNSRefusal) {
        let path = request.path
        guard path.hasPrefix(APNSPath.device) else { throw APNSRefusal(.badPath) }
        let rest = path.dropFirst(APNSPath.device.count)
        guard let slash = rest.first else { return }  // no token at all
        let token = rest.dropFirst()
        guard slash == "/", !token.utf8.contains(UInt8(ascii: "/")) else { throw APNSRefusal(.badPath) }
        pathToken = String(token)
    }

    private mutating func readProviderToken(on connection: inout APNSConnectionState) throws(APNSRefusal) {
        let check = ProviderTokenCheck(teams: teams, rules: rules, environment: environment, now: now)
        teamID = try connection.admit(authorization: request.authorization, check).teamID
        try checkTeam()
    }

    private mutating func readDeviceToken() throws(APNSRefusal) {
        guard !pathToken.isEmpty else { throw APNSRefusal(.missingDeviceToken) }
        guard let token = PushToken(hex: pathToken) else { throw APNSRefusal(.badDeviceToken) }
        self.token = token
    }

    private mutating func readTopic() throws(APNSRefusal) {
        guard let topic = request.topic, !topic.isEmpty else { throw APNSRefusal(.missingTopic) }
        guard let app = teams.app(ofTopic: topic) else { throw APNSRefusal(.badTopic) }
        self.app = app
        try checkTeam()
    }

    /// Checks the team as soon as both the caller and the topic are known. A guess: the topic of another team's app is
    /// answered with this reason.
    private func checkTeam() throws(APNSRefusal) {
        guard let teamID, let app else { return }
        guard teams[teamID]?.bundleIDs.contains(app.bundleID) == true else { throw APNSRefusal(.topicDisallowed) }
    }

    /// The type must be one of Apple's and the topic's suffix the type's own.
    ///
    /// A Live Activity push with the bare bundle id as its topic is answered DeviceTokenNotForTopic (reported). Two
    /// guesses: other mismatches are InvalidPushType, and an absent type is derived from the topic.
    private mutating func readPushType() throws(APNSRefusal) {
        guard let name = request.pushType else {
            pushType = APNSPushType.allCases.first { $0.topicSuffix == (app?.suffix ?? "") } ?? .alert
            return
        }
        guard let type = APNSPushType(rawValue: name) else { throw APNSRefusal(.invalidPushType) }
        if let app, app.suffix != type.topicSuffix {
            throw APNSRefusal(app.suffix.isEmpty ? .deviceTokenNotForTopic : .invalidPushType)
        }
        pushType = type
    }

    /// Checks no more of the body than Apple does, according to reports. A wrong event, a missing timestamp or a state
    /// that does not decode is answered 200, and the phone drops the push.
    private func readPayload() throws(APNSRefusal) {
        guard rules.malformedPayload == .refused, request.bodyLength > 0 else { return }
        guard let object = (try? JSONValue(parsing: request.body))?.object else {
            throw APNSRefusal(.badRequestPayload)
        }
        let isLiveActivity = request.pushType == APNSPushType.liveActivity.rawValue || pushType == .liveActivity
        if isLiveActivity, object[LiveActivityKey.aps]?.object == nil { throw APNSRefusal(.badRequestPayload) }
    }
}
