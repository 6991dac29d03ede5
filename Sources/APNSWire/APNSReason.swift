/// Why Apple refused a push: the member `reason` of an answer that is not 200.
///
/// Every reason has one row in ``row``: its name, status, meaning, and what Eyot does about it.
public enum APNSReason: UInt8, Sendable, Hashable, CaseIterable {
    case badCollapseID, badDeviceToken, badExpirationDate, badMessageID, badPriority, badTopic, deviceTokenNotForTopic
    case duplicateHeaders, idleTimeout, invalidPushType, missingDeviceToken, missingTopic, payloadEmpty, topicDisallowed
    case badCertificate, badCertificateEnvironment, expiredProviderToken, forbidden, invalidProviderToken
    case missingProviderToken, unrelatedKeyIDInToken, badEnvironmentKeyIDInToken
    case badPath, methodNotAllowed
    case unregistered, expiredToken
    case payloadTooLarge
    case tooManyProviderTokenUpdates, tooManyRequests
    case internalServerError, serviceUnavailable, shutdown
    // The channel and broadcast requests have these besides.
    case featureNotEnabled, missingChannelID, badChannelID, channelNotRegistered, badRequestParams, badRequestPayload
    case missingPushType, cannotCreateChannelConfig, topicMismatch
    /// A reason that is in no table of Apple's that we know; the status decides what to do.
    case unrecognized

    /// The reason that Apple spells so. Unknown words are ``unrecognized``.
    public init(name: String) {
        self = Self.byName[name] ?? .unrecognized
    }

    /// So printed for requests about channels, and without the space for pushes.
    private static let spacedUnavailable = "Service Unavailable"

    private static let byName: [String: APNSReason] = {
        var table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.row.name, $0) })
        table["BadEnvironmentKeyInToken"] = .badEnvironmentKeyIDInToken  // seen in the wild, misspelt
        table[spacedUnavailable] = .serviceUnavailable
        return table
    }()

    /// As Apple spells it.
    public var name: String { row.name }
    /// As Apple spells it in answers about channels and broadcasts.
    public var channelName: String { self == .serviceUnavailable ? Self.spacedUnavailable : name }
    /// The HTTP status that goes with it.
    public var status: Int { row.status }
    /// What Eyot does.
    public var action: APNSReasonAction { row.action }
    /// What it means, in a sentence for people.
    public var meaning: String { row.meaning }
}

/// What the engine does with a refused push.
public enum APNSReasonAction: Sendable, Hashable {
    /// The token is dead: never push to it again, unless it was set after the moment in the answer.
    case buryToken
    /// The token may be dead, or the app is set up wrongly: probe once, then set aside, reversibly.
    case suspectToken
    /// Apple is busy or the connection is: the same state goes again after a back-off, a newer one at once.
    case retryLater
    /// This token got too many pushes: pause it alone.
    case slowToken
    /// The provider token has to be made anew, then the push goes again on a new connection.
    case renewProviderToken
    /// Nothing will work until somebody mends key, team, topic or certificate: pause the app, keep everything.
    case pauseApp
    /// Channels do not work for this app until somebody mends it; pushes to tokens go on.
    case pauseChannels
    /// This push cannot be sent as it is; another state may.
    case dropPush
}

/// One row of the table of reasons.
public struct APNSReasonRow: Sendable {
    /// As Apple spells it.
    public let name: String
    /// The HTTP status.
    public let status: Int
    /// What Eyot does about it.
    public let action: APNSReasonAction
    /// A sentence for people.
    public let meaning: String

    init(_ name: String, _ status: Int, _ action: APNSReasonAction, _ meaning: String) {
        (self.name, self.status, self.action, self.meaning) = (name, status, action, meaning)
    }
}

extension APNSReason {
    /// This reason's row.
    public var row: APNSReasonRow {
        switch self {
        case .badCollapseID: .init("BadCollapseId", 400, .dropPush, "the collapse id is longer than 64 bytes")
        case .badDeviceToken:
            .init("BadDeviceToken", 400, .suspectToken, "the token is malformed or belongs to the other environment")
        case .badExpirationDate: .init("BadExpirationDate", 400, .dropPush, "apns-expiration is not a UNIX time")
        case .badMessageID: .init("BadMessageId", 400, .dropPush, "apns-id is not a UUID")
        case .badPriority: .init("BadPriority", 400, .dropPush, "apns-priority is not 1, 5 or 10")
        case .badTopic: .init("BadTopic", 400, .pauseApp, "the topic is not one of this key's apps")
        case .deviceTokenNotForTopic:
            .init("DeviceTokenNotForTopic", 400, .suspectToken, "the token belongs to another topic than the one named")
        case .duplicateHeaders: .init("DuplicateHeaders", 400, .dropPush, "a header came twice")
        case .idleTimeout: .init("IdleTimeout", 400, .retryLater, "the connection idled too long")
        case .invalidPushType: .init("InvalidPushType", 400, .dropPush, "apns-push-type is not a known type")
        case .missingDeviceToken: .init("MissingDeviceToken", 400, .dropPush, "the path names no token")
        case .missingTopic: .init("MissingTopic", 400, .dropPush, "apns-topic is missing")
        case .payloadEmpty: .init("PayloadEmpty", 400, .dropPush, "the body is empty")
        case .topicDisallowed: .init("TopicDisallowed", 400, .pauseApp, "pushing to this topic is not allowed")
        case .badCertificate: .init("BadCertificate", 403, .pauseApp, "the certificate is not valid")
        case .badCertificateEnvironment:
            .init("BadCertificateEnvironment", 403, .pauseApp, "the certificate is for the other environment")
        case .expiredProviderToken:
            .init("ExpiredProviderToken", 403, .renewProviderToken, "the provider token is older than an hour")
        case .forbidden: .init("Forbidden", 403, .pauseApp, "the action is not allowed")
        case .invalidProviderToken:
            .init("InvalidProviderToken", 403, .pauseApp, "the provider token's key, team or signature is wrong")
        case .missingProviderToken: .init("MissingProviderToken", 403, .pauseApp, "no provider token was sent")
        case .unrelatedKeyIDInToken:
            .init("UnrelatedKeyIdInToken", 403, .pauseApp, "the key is not the one first used on the connection")
        case .badEnvironmentKeyIDInToken:
            .init("BadEnvironmentKeyIdInToken", 403, .pauseApp, "the key is not for this environment")
        case .badPath: .init("BadPath", 404, .dropPush, "the path is not one of Apple's")
        case .methodNotAllowed: .init("MethodNotAllowed", 405, .dropPush, "the method is not POST")
        case .unregistered:
            .init("Unregistered", 410, .buryToken, "the token is no longer active for the topic")
        case .expiredToken: .init("ExpiredToken", 410, .buryToken, "the token has expired")
        case .payloadTooLarge: .init("PayloadTooLarge", 413, .dropPush, "the payload is over Apple's limit")
        case .tooManyProviderTokenUpdates:
            .init("TooManyProviderTokenUpdates", 429, .retryLater, "the provider token was changed too often")
        case .tooManyRequests: .init("TooManyRequests", 429, .slowToken, "too many pushes to this token in a row")
        case .internalServerError: .init("InternalServerError", 500, .retryLater, "Apple had a fault")
        case .serviceUnavailable: .init("ServiceUnavailable", 503, .retryLater, "Apple's service is unavailable")
        case .shutdown: .init("Shutdown", 503, .retryLater, "Apple's server is shutting down")
        default: channelRow
        }
    }

    /// The rows of the channel and broadcast requests.
    private var channelRow: APNSReasonRow {
        switch self {
        case .featureNotEnabled:
            .init("FeatureNotEnabled", 400, .pauseChannels, "broadcast is not switched on for this app id")
        case .missingChannelID: .init("MissingChannelId", 400, .dropPush, "apns-channel-id is missing")
        case .badChannelID: .init("BadChannelId", 400, .dropPush, "the channel id is badly encoded or too long")
        case .channelNotRegistered: .init("ChannelNotRegistered", 400, .buryToken, "there is no such channel")
        case .badRequestParams: .init("BadRequestParams", 400, .dropPush, "the body has an attribute nobody knows")
        case .badRequestPayload: .init("BadRequestPayload", 400, .dropPush, "the body is not JSON")
        case .missingPushType: .init("MissingPushType", 400, .dropPush, "apns-push-type is missing")
        case .cannotCreateChannelConfig:
            .init("CannotCreateChannelConfig", 400, .dropPush, "the app has as many channels as it may have")
        case .topicMismatch:
            .init("TopicMismatch", 403, .pauseApp, "the app in the path is not covered by the provider token")
        default: .init("unrecognized", 0, .retryLater, "a reason that is in no table known here")
        }
    }
}
