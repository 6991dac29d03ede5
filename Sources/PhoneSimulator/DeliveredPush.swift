import APNSWire
import EyotContract

/// A push that Apple took and carries to a phone.
public struct DeliveredPush: Sendable, Hashable {
    /// The destination of a push.
    public enum Destination: Sendable, Hashable {
        /// One card, or the phone's next one.
        case token(PushToken)
        /// Every card that is subscribed to this channel, by its base64 id. `keepsNewest` is the channel's storage
        /// policy: whether Apple keeps its newest push for phones that are offline.
        case channel(String, keepsNewest: Bool)
    }

    /// Where Apple delivers it.
    public var destination: Destination
    /// `apns-topic`; of a broadcast, which has none, the bundle id in its path.
    public var topic: String
    /// `apns-push-type`.
    public var pushType: APNSPushType
    /// `apns-priority`.
    public var priority: APNSPriority
    /// `apns-expiration` in UNIX seconds; 0 for one attempt, nil if the header was absent.
    public var expiration: Int?
    /// `apns-collapse-id`.
    public var collapseID: String?
    /// `apns-id`, echoed or made by Apple; of a broadcast `apns-request-id`.
    public var id: APNSID?
    /// The body.
    public var payload: [UInt8]

    /// A push to a token.
    public init(
        token: PushToken, topic: String, pushType: APNSPushType = .liveActivity,
        priority: APNSPriority = .immediate, expiration: Int? = nil, collapseID: String? = nil, id: APNSID? = nil,
        payload: [UInt8]
    ) {
        destination = .token(token)
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
        self.payload = payload
    }

    /// A broadcast to a channel of an app. `keepsNewest` is the channel's storage policy.
    public init(
        channel: String, keepsNewest: Bool, bundleID: String, priority: APNSPriority = .immediate,
        expiration: Int? = nil, id: APNSID? = nil, payload: [UInt8]
    ) {
        destination = .channel(channel, keepsNewest: keepsNewest)
        topic = bundleID
        pushType = .liveActivity
        self.priority = priority
        self.expiration = expiration
        self.id = id
        self.payload = payload
    }

    /// The token it was sent to; nil for a broadcast.
    public var token: PushToken? {
        if case .token(let token) = destination { token } else { nil }
    }

    /// The channel of a broadcast.
    public var channel: String? {
        if case .channel(let id, _) = destination { id } else { nil }
    }

    /// Bytes that its payload may have.
    var payloadLimit: Int { channel == nil ? APNSLimits.payloadBytes : APNSLimits.broadcastPayloadBytes }
}
