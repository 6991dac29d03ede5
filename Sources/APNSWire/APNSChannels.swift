import EyotContract

/// Paths of Apple's push service.
public enum APNSPath {
    /// Pushes to a token: a slash and the token's hexadecimal digits follow.
    public static let device = "/3/device"
    /// Before the bundle id of a broadcast.
    public static let broadcasts = "/4/broadcasts/apps/"
    /// Before the bundle id of a request about channels.
    public static let apps = "/1/apps/"

    /// Broadcasts to a channel of an app. The channel stands in a header.
    public static func broadcasts(bundleID: String) -> String { broadcasts + bundleID }
    /// Creates, reads and deletes one channel of an app. The channel stands in a header here too.
    public static func channels(bundleID: String) -> String { "\(apps)\(bundleID)/\(channelsSuffix)" }
    /// Lists an app's channels.
    public static func allChannels(bundleID: String) -> String { "\(apps)\(bundleID)/\(allChannelsSuffix)" }

    /// After the bundle id: one channel.
    public static let channelsSuffix = "channels"
    /// After the bundle id: all channels.
    public static let allChannelsSuffix = "all-channels"
}

/// What Apple keeps of a channel's broadcasts for phones that are away. It is chosen when the channel is made, for good.
public enum APNSStoragePolicy: Int, Sendable, Hashable, CaseIterable {
    /// Nothing: `apns-expiration` has to be 0, and the channel gets a higher publishing budget.
    case none = 0
    /// The latest broadcast, for at most ``APNSLimits/channelStorageLifetime``.
    case mostRecent = 1
}

/// A channel as Apple describes it: the body of a request that makes one, and of the answer that reads one.
public struct APNSChannelDescription: Sendable, Hashable {
    /// What is kept for phones that are away.
    public var storage: APNSStoragePolicy

    /// A channel for Live Activities; there is no other kind.
    public init(storage: APNSStoragePolicy) { self.storage = storage }

    /// Member for ``storage``.
    public static let storageKey = "message-storage-policy"
    /// Member for the kind of push.
    public static let pushTypeKey = "push-type"
    /// The one kind of push that a channel can have. The header of a broadcast has the same word in small letters.
    public static let pushType = "LiveActivity"
    /// Member of the answer that lists an app's channels.
    public static let listKey = "channels"

    /// As JSON.
    public var json: JSONValue {
        .object(
            JSONObject([
                (Self.storageKey, .integer(storage.rawValue)), (Self.pushTypeKey, .string(Self.pushType)),
            ]))
    }
}

/// The id that Apple gave to a channel: some bytes in base64, of no promised length, given out once.
public struct APNSChannelID: Sendable, Hashable, CustomStringConvertible {
    /// As it stands in the header `apns-channel-id`.
    public let text: String

    /// The longest text that is taken. Apple names no limit; this one is ours.
    public static let maximumLength = 256

    /// The id of a text in base64, nil for anything else.
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

    /// The text. A channel's id is no secret: who has it can subscribe and not publish.
    public var description: String { text }
}
