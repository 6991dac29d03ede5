/// The reason of a refused push: the member `reason` of an answer that is not 200.
///
/// Each reason has one row in ``row``: its name, status and meaning, and Eyot's action.
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
    // Additional reasons of channel and broadcast requests.
    case featureNotEnabled, missingChannelID, badChannelID, channelNotRegistered, badRequestParams, badRequestPayload
    case missingPushType, cannotCreateChannelConfig, topicMismatch
    /// A reason that is in none of Apple's known tables. The status decides the action.
    case unrecognized

    /// Makes the reason with Apple's name. An unknown name is ``unrecognized``.
    public init(name: String) {
        self = Self.byName[name] ?? .unrecognized
    }

    /// Apple's spelling for requests about channels. For pushes it has no space.
    private static let spacedUnavailable = "Service Unavailable"

    private static let byName: [String: APNSReason] = {
        var table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.row.name, $0) })
        table["BadEnvironmentKeyInToken"] = .badEnvironmentKeyIDInToken  // seen in the wild, misspelt
        table[spacedUnavailable] = .serviceUnavailable
        return table
    }()

    /// Apple's name of the reason.
    public var name: String { row.name }
    /// Apple's name of the reason in answers about channels and broadcasts.
    public var channelName: String { self == .serviceUnavailable ? Self.spacedUnavailable : name }
    /// The HTTP status of the reason.
    public var status: Int { row.status }
    /// Eyot's action.
    public var action: APNSReasonAction { row.action }
    /// The meaning, in a sentence for people.
    public var meaning: String { row.meaning }
}

/// The engine's action after a refused push.
public enum APNSReasonAction: Sendable, Hashable {
    /// The token is dead. Eyot never pushes to it again, unless it was set after the moment in the answer.
    case buryToken
    /// The token may be dead, or the app's set-up may be wrong. Eyot probes it once and then sets it aside, which can
    /// be undone.
    case suspectToken
    /// Apple or the connection is busy. The same state goes again after a backoff, and a newer one at once.
    case retryLater
    /// The token got too many pushes. Eyot pauses it alone.
    case slowToken
    /// The provider token must be renewed. The push then goes again on a new connection.
    case renewProviderToken
    /// Nothing works until key, team, topic or certificate is corrected. Eyot pauses the app and keeps everything.
    case pauseApp
    /// Channels do not work for this app until its set-up is corrected. Pushes to tokens continue.
    case pauseChannels
    /// This push cannot be sent as it is. Another state may be.
    case dropPush
}

/// A row of the table of reasons.
public struct APNSReasonRow: Sendable {
    /// Apple's name of the reason.
    public let name: String
    /// The HTTP status.
    public let status: Int
    /// Eyot's action.
    public let action: APNSReasonAction
    /// The meaning, in a sentence for people.
    public let meaning: String

    init(_ name: String, _ status: Int, _ action: APNSReasonAction, _ meaning: String) {
        (self.name, self.status, self.action, self.meaning) = (name, status, action, meaning)
    }
}

extension APNSReason {
    /// The row of this reason.
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

    /// The row of a reason of channel and broadcast requests.
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
