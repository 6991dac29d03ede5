import EyotContract

/// The content of a Live Activity push, rendered once for all the phones that get it.
public struct LiveActivityPayload: Sendable, Hashable {
    /// What the push does.
    public var event: LiveActivityEvent
    /// What the card shows; an object that decodes as the type's `ContentState`.
    public var contentState: JSONValue?
    /// Only for a start: the name of the Swift type.
    public var attributesType: String?
    /// Only for a start.
    public var attributes: JSONValue?
    /// As Apple's dictionary: `title`, `body`, `sound`.
    public var alert: JSONValue?
    /// UNIX seconds.
    public var staleDate: Int?
    /// UNIX seconds; only for an end.
    public var dismissalDate: Int?
    /// Any finite number, relative within the app; one that is not finite is left out.
    public var relevanceScore: Double?
    /// Asks an iOS 18 phone for an update token.
    public var inputPushToken: Bool
    /// Subscribes the card that an iOS 18 phone starts to this channel. What a phone does that is asked for a token
    /// besides, Apple does not say.
    public var inputPushChannel: APNSChannelID?
    /// Further members of `aps`, as they stand. Those that the properties above write stay as they are.
    public var further: JSONObject?

    /// Makes a payload; what Apple wants per event is checked before.
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

    /// The payload's bytes and where in them the ten digits of the timestamp stand, written as zeros.
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
        // The timestamp stands first, so that its place does not depend on the rest.
        let head = #"{"\#(LiveActivityKey.aps)":{"\#(LiveActivityKey.timestamp)":"#
        var body = Array(head.utf8)
        body += Array(repeating: UInt8(ascii: "0"), count: Self.timestampDigits)
        body.append(UInt8(ascii: ","))
        body += JSONValue.object(aps).utf8.dropFirst()
        body.append(UInt8(ascii: "}"))
        return (body, head.utf8.count)
    }

    /// UNIX seconds have ten digits from 2001 to 2286.
    public static let timestampDigits = 10
}
