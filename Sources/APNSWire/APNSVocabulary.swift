import EyotContract

/// Names of the request and response headers of Apple's push service, in lower case as HTTP/2 requires.
public enum APNSHeader {
    /// `bearer` and the provider token.
    public static let authorization = "authorization"
    /// The push's id, a UUID. Apple makes one if it is absent.
    public static let id = "apns-id"
    /// A value of ``APNSPushType``.
    public static let pushType = "apns-push-type"
    /// The bundle id with the type's suffix.
    public static let topic = "apns-topic"
    /// A value of ``APNSPriority``.
    public static let priority = "apns-priority"
    /// The end of Apple's storage of the push, in UNIX seconds; 0 for one attempt.
    public static let expiration = "apns-expiration"
    /// The id that pushes share to replace each other.
    public static let collapseID = "apns-collapse-id"
    /// Apple's own id of the push. Only the sandbox answers it.
    public static let uniqueID = "apns-unique-id"
    /// The id of a request, which replaces `apns-id` in channel and broadcast requests.
    public static let requestID = "apns-request-id"
    /// The channel of a channel or broadcast request.
    public static let channelID = "apns-channel-id"
}

/// The values of `apns-push-type` that Apple documents.
public enum APNSPushType: String, Sendable, Hashable, CaseIterable {
    case alert, background, complication, controls, fileprovider
    case liveActivity = "liveactivity"
    case location, mdm
    case pushToTalk = "pushtotalk"
    case voip, widgets

    /// The part of the topic after the bundle id for this type.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveActivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushToTalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// Returns the topic of an app for this type of push.
    public func topic(bundleID: String) -> String { bundleID + topicSuffix }
}

/// The values of `apns-priority`. For Live Activities Apple names 5 and 10.
public enum APNSPriority: Int, Sendable, Hashable, CaseIterable {
    /// The push never wakes the device.
    case lowest = 1
    /// The push arrives when it suits the device's power. It does not count against the hourly budget.
    case considerate = 5
    /// The push arrives at once and counts against the hourly budget. Apple's default if the header is absent.
    case immediate = 10
}

/// The effect of a Live Activity push: the member `event` of `aps`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
    /// Starts a card, even if the app does not run.
    case start
    /// Changes the content of a card.
    case update
    /// Ends a card. It may stay on the Lock Screen for a while.
    case end
}

/// Apple's limits.
public enum APNSLimits {
    /// Bytes of a payload to one token.
    public static let payloadBytes = 4_096
    /// Bytes of a broadcast payload.
    public static let broadcastPayloadBytes = 5_120
    /// Bytes of `apns-collapse-id`.
    public static let collapseIDBytes = 64
    /// Seconds after which a provider token is expired.
    public static let providerTokenLifetime = 3_600
    /// Seconds within which a connection accepts no second new provider token.
    public static let providerTokenRefreshInterval = 1_200
    /// Characters of a key id and of a team id.
    public static let identifierCharacters = 10
    /// Seconds for which a Live Activity can be active.
    public static let activeLifetime = 8 * 3_600
    /// Seconds for which an ended Live Activity may stay on the Lock Screen.
    public static let lingerLifetime = 4 * 3_600
    /// Seconds for which APNs stores a push at most.
    public static let storageLifetime = 30 * 86_400
    /// Seconds by which a timestamp may be ahead. Phones drop a push beyond that; this is reported and not documented.
    public static let timestampLead = 8 * 3_600
    /// Broadcast channels of one app in one environment.
    public static let channels = 10_000
    /// Seconds for which a channel keeps its latest broadcast, if it keeps any.
    public static let channelStorageLifetime = 8 * 3_600
}
