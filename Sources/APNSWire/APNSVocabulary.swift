import EyotContract

/// Names of the request and response headers of Apple's push service, lower case as HTTP/2 wants them.
public enum APNSHeader {
    /// `bearer` and the provider token.
    public static let authorization = "authorization"
    /// The push's id, a UUID; Apple makes one where it is absent.
    public static let id = "apns-id"
    /// One of ``APNSPushType``.
    public static let pushType = "apns-push-type"
    /// The bundle id with the type's suffix.
    public static let topic = "apns-topic"
    /// One of ``APNSPriority``.
    public static let priority = "apns-priority"
    /// UNIX seconds until which Apple may store the push.
    public static let expiration = "apns-expiration"
    /// Pushes with the same one replace each other.
    public static let collapseID = "apns-collapse-id"
    /// Only the sandbox answers it.
    public static let uniqueID = "apns-unique-id"
    /// Takes the place of `apns-id` in the channel and broadcast requests.
    public static let requestID = "apns-request-id"
    /// The channel that a channel or broadcast request is about.
    public static let channelID = "apns-channel-id"
}

/// Values of `apns-push-type` that Apple documents.
public enum APNSPushType: String, Sendable, Hashable, CaseIterable {
    case alert, background, complication, controls, fileprovider
    case liveActivity = "liveactivity"
    case location, mdm
    case pushToTalk = "pushtotalk"
    case voip, widgets

    /// What the topic carries behind the bundle id for this type.
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

    /// The topic of an app for this type of push.
    public func topic(bundleID: String) -> String { bundleID + topicSuffix }
}

/// Values of `apns-priority`. For Live Activities Apple names 5 and 10.
public enum APNSPriority: Int, Sendable, Hashable, CaseIterable {
    /// Never wakes the device.
    case lowest = 1
    /// When it suits the device's power; does not count against the hourly budget.
    case considerate = 5
    /// At once; counts against the hourly budget. Apple's default where the header is absent.
    case immediate = 10
}

/// What a Live Activity push does, the member `event` of `aps`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
    /// Makes a card appear, where nobody has opened the app.
    case start
    /// Changes what a card shows.
    case update
    /// Ends a card; it may stay on the Lock Screen for a while.
    case end
}

/// Members of `aps` in a Live Activity push.
public enum LiveActivityKey {
    /// The object that holds all the others.
    public static let aps = "aps"
    /// UNIX seconds at which the push was made.
    public static let timestamp = "timestamp"
    /// One of ``LiveActivityEvent``.
    public static let event = "event"
    /// What the card shows.
    public static let contentState = "content-state"
    /// For a start: the name of the Swift type.
    public static let attributesType = "attributes-type"
    /// For a start: the values of that type.
    public static let attributes = "attributes"
    /// Title, body and sound.
    public static let alert = "alert"
    /// UNIX seconds from which the state counts as old.
    public static let staleDate = "stale-date"
    /// UNIX seconds at which an ended card goes.
    public static let dismissalDate = "dismissal-date"
    /// Which of the app's cards matters most.
    public static let relevanceScore = "relevance-score"
    /// iOS 18 and later: start, and get an update token. Its value is 1.
    public static let inputPushToken = "input-push-token"
    /// iOS 18 and later: start subscribed to this channel.
    public static let inputPushChannel = "input-push-channel"

    /// Those that have a meaning of their own here, so that nobody writes them beside it. Whether a card is asked for a token may be said
    /// once more.
    public static let owned: Set<String> = [
        timestamp, event, contentState, attributesType, attributes, alert, staleDate, dismissalDate, relevanceScore,
        inputPushChannel,
    ]
}

/// Apple's limits, each with the page that states it where Apple does.
public enum APNSLimits {
    /// Bytes of a payload to one token.
    public static let payloadBytes = 4_096
    /// Bytes of a broadcast payload.
    public static let broadcastPayloadBytes = 5_120
    /// Bytes of `apns-collapse-id`.
    public static let collapseIDBytes = 64
    /// Seconds after which a provider token is expired.
    public static let providerTokenLifetime = 3_600
    /// Seconds within which a connection takes no second new provider token.
    public static let providerTokenRefreshInterval = 1_200
    /// Characters of a key id and of a team id.
    public static let identifierCharacters = 10
    /// Seconds for which a Live Activity can be active.
    public static let activeLifetime = 8 * 3_600
    /// Seconds for which an ended one may stay on the Lock Screen.
    public static let lingerLifetime = 4 * 3_600
    /// Seconds that APNs stores a push at most.
    public static let storageLifetime = 30 * 86_400
    /// Seconds by which a timestamp may lie ahead; beyond that phones drop the push (reported, not documented).
    public static let timestampLead = 8 * 3_600
    /// Broadcast channels of one app in one environment.
    public static let channels = 10_000
    /// Seconds for which a channel keeps its latest broadcast, where it keeps any.
    public static let channelStorageLifetime = 8 * 3_600
}
