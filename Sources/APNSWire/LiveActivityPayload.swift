import EyotContract

/// The content of a Live Activity push, rendered once for all phones that get it.
public struct LiveActivityPayload: Sendable, Hashable {
    /// The effect of the push.
    public var event: LiveActivityEvent
    /// The content of the card: an object that decodes as the type's `ContentState`.
    public var contentState: JSONValue?
    /// The name of the Swift attributes type; nil unless the push is a start.
    public var attributesType: String?
    /// The values of the attributes; nil unless the push is a start.
    public var attributes: JSONValue?
    /// Apple's dictionary: `title`, `body`, `sound`.
    public var alert: JSONValue?
    /// UNIX seconds; nil for none.
    public var staleDate: Int?
    /// UNIX seconds; nil unless the push is an end.
    public var dismissalDate: Int?
    /// Any number, relative within the app. A number that is not finite is left out.
    public var relevanceScore: Double?
    /// Whether a phone with iOS 18 is asked for an update token.
    public var inputPushToken: Bool
    /// The channel that the card follows if a phone with iOS 18 or later starts it. Apple does not document the
    /// combination with ``inputPushToken``.
    public var inputPushChannel: APNSChannelID?
    /// Further members of `aps`, unchanged. They do not replace the members that the properties above write.
    public var further: JSONObject?

    /// Makes a payload. Apple's rules for each event are checked before.
    public init(
        event: LiveActivityEvent, contentState: JSONValue? = nil, attributesType: String? = nil,
        attributes: JSONValue? = nil, alert: JSONValue? = nil, staleDate: Int? = nil, dismissalDate: Int? = nil,
        relevanceScore: Double? = nil, inputPushToken: Bool = false, inputPushChannel: APNSChannelID? = nil,
        further: JSONObject? = nil
    ) {
        self.event = event
        self.contentState = contentState
        self.attributesType = attributesType
        self.attributes = attributes
        self.alert = alert
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.relevanceScore = relevanceScore
        self.inputPushToken = inputPushToken
        self.inputPushChannel = inputPushChannel
        self.further = further
    }

    /// Renders the payload. Also returns the offset of the timestamp's ten digits, which are written as zeros.
    public func render() -> (body: [UInt8], timestampOffset: Int) {
        var aps = JSONObject([(LiveActivityKey.event, .string(event.rawValue))])
        aps[LiveActivityKey.contentState] = contentState
        aps[LiveActivityKey.attributesType] = attributesType.map(JSONValue.string)
        aps[LiveActivityKey.attributes] = attributes
        aps[LiveActivityKey.alert] = alert
        aps[LiveActivityKey.staleDate] = staleDate.map(JSONValue.integer)
        aps[LiveActivityKey.dismissalDate] = dismissalDate.map(JSONValue.integer)
        aps[LiveActivityKey.relevanceScore] = relevanceScore.flatMap(JSONValue.finite)
        if inputPushToken { aps[LiveActivityKey.inputPushToken] = 1 }
        aps[LiveActivityKey.inputPushChannel] = (inputPushChannel?.text).map(JSONValue.string)
        for member in further?.members ?? [] where aps[member.name] == nil && member.name != LiveActivityKey.timestamp {
            aps[member.name] = member.value
        }
        // The timestamp comes first, so that its offset does not depend on the rest.
        let head = #"{"\#(LiveActivityKey.aps)":{"\#(LiveActivityKey.timestamp)":"#
        var body = Array(head.utf8)
        body += Array(repeating: UInt8(ascii: "0"), count: Self.timestampDigits)
        body.append(UInt8(ascii: ","))
        body += JSONValue.object(aps).utf8.dropFirst()
        body.append(UInt8(ascii: "}"))
        return (body, head.utf8.count)
    }

    /// The digits of a timestamp. UNIX seconds have ten from 2001 to 2286.
    public static let timestampDigits = 10
}

/// The members of `aps` in a Live Activity push.
public enum LiveActivityKey {
    /// The object that contains all the others.
    public static let aps = "aps"
    /// The second in which the push was made, in UNIX seconds.
    public static let timestamp = "timestamp"
    /// A value of ``LiveActivityEvent``.
    public static let event = "event"
    /// The content of the card.
    public static let contentState = "content-state"
    /// For a start: the name of the Swift attributes type.
    public static let attributesType = "attributes-type"
    /// For a start: the values of the attributes.
    public static let attributes = "attributes"
    /// Title, body and sound.
    public static let alert = "alert"
    /// The moment from which the state is stale, in UNIX seconds.
    public static let staleDate = "stale-date"
    /// The moment at which an ended card disappears, in UNIX seconds.
    public static let dismissalDate = "dismissal-date"
    /// The card's relevance among the app's cards.
    public static let relevanceScore = "relevance-score"
    /// Asks for an update token with a start, on iOS 18 and later. Its value is 1.
    public static let inputPushToken = "input-push-token"
    /// Subscribes the started card to this channel, on iOS 18 and later.
    public static let inputPushChannel = "input-push-channel"

    /// The members that Eyot sets itself, so that no caller may set them too. ``inputPushToken`` is not among them,
    /// because a caller may repeat it.
    public static let owned: Set<String> = [
        timestamp, event, contentState, attributesType, attributes, alert, staleDate, dismissalDate, relevanceScore,
        inputPushChannel,
    ]
}
