import EyotContract

/// Paths of Apple's push service.
public enum APNSPath {
    /// The path before a token. A slash and the token's hexadecimal digits follow.
    public static let device = "/3/device"
    /// The path before the bundle id of a broadcast.
    public static let broadcasts = "/4/broadcasts/apps/"
    /// The path before the bundle id of a request about channels.
    public static let apps = "/1/apps/"

    /// Returns the path for broadcasts to a channel of an app. The channel is in a header.
    public static func broadcasts(bundleID: String) -> String { broadcasts + bundleID }
    /// Returns the path that creates, reads and deletes one channel of an app. The channel is in a header here too.
    public static func channels(bundleID: String) -> String { "\(apps)\(bundleID)/\(channelsSuffix)" }
    /// Returns the path that lists an app's channels.
    public static func allChannels(bundleID: String) -> String { "\(apps)\(bundleID)/\(allChannelsSuffix)" }

    /// The path after the bundle id for one channel.
    public static let channelsSuffix = "channels"
    /// The path after the bundle id for all channels.
    public static let allChannelsSuffix = "all-channels"
}

/// Apple's storage of a channel's broadcasts for phones that are away. It is chosen when the channel is made and cannot
/// be changed.
public enum APNSStoragePolicy: Int, Sendable, Hashable, CaseIterable {
    /// Nothing is stored. `apns-expiration` must be 0, and the channel gets a higher publishing budget.
    case none = 0
    /// The latest broadcast is stored, for at most ``APNSLimits/channelStorageLifetime``.
    case mostRecent = 1
}

/// Apple's description of a channel: the body of the request that makes one, and of the answer that reads one.
public struct APNSChannelDescription: Sendable, Hashable {
    /// The storage for phones that are away.
    public var storage: APNSStoragePolicy

    /// Makes the description of a channel for Live Activities, the only kind.
    public init(storage: APNSStoragePolicy) { self.storage = storage }

    /// The member for ``storage``.
    public static let storageKey = "message-storage-policy"
    /// The member for the kind of push.
    public static let pushTypeKey = "push-type"
    /// The only kind of push for a channel. The header of a broadcast has the same word in lower case.
    public static let pushType = "LiveActivity"
    /// The member with the channels, in the answer that lists them.
    public static let listKey = "channels"

    /// The description as JSON.
    public var json: JSONValue {
        .object(
            JSONObject([
                (Self.storageKey, .integer(storage.rawValue)), (Self.pushTypeKey, .string(Self.pushType)),
            ]))
    }
}

/// Apple's id of a channel: bytes in base64 of unspecified length. No id is given out twice.
public struct APNSChannelID: Sendable, Hashable, CustomStringConvertible {
    /// The text for the header `apns-channel-id`.
    public let text: String

    /// The longest text that is accepted. Apple names no limit; this one is Eyot's.
    public static let maximumLength = 256

    /// Makes an id of a text in base64; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.count.isMultiple(of: 4) else { return nil }
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, bytes.dropLast(padding).allSatisfy(Self.isDigit) else { return nil }
        self.text = String(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// The text. A channel's id is no secret: with it a phone can subscribe, and not publish.
    public var description: String { text }
}
