import APNSWire
import EyotContract

/// A push that Apple took and carries to a phone.
public struct DeliveredPush: Sendable, Hashable {
    /// Whose it is.
    public var token: PushToken
    /// `apns-topic`.
    public var topic: String
    /// `apns-push-type`.
    public var pushType: APNSPushType
    /// `apns-priority`.
    public var priority: APNSPriority
    /// `apns-expiration` in UNIX seconds; 0 for one attempt, nil where the header was absent.
    public var expiration: Int?
    /// `apns-collapse-id`.
    public var collapseID: String?
    /// `apns-id`, echoed or made by Apple.
    public var id: APNSID?
    /// The body.
    public var payload: [UInt8]

    /// A push.
    public init(
        token: PushToken, topic: String, pushType: APNSPushType = .liveActivity,
        priority: APNSPriority = .immediate, expiration: Int? = nil, collapseID: String? = nil, id: APNSID? = nil,
        payload: [UInt8]
    ) {
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
        self.payload = payload
    }
}
