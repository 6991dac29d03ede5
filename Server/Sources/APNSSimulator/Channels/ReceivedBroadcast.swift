import APNSWire
import EyotContract
import Foundation

/// A broadcast that passed every check of Apple's, on its way to the phones that are subscribed to its channel.
public struct ReceivedBroadcast: Sendable {
    /// The channel that the header named.
    public var channel: APNSChannelID
    /// Apple's storage policy for phones that are offline.
    public var storage: APNSStoragePolicy
    /// The service that took it. Channels of one environment do not exist in the other.
    public var environment: PushEnvironment
    /// The app of the path.
    public var bundleID: String
    /// 10 if the header is absent.
    public var priority: APNSPriority
    /// UNIX seconds until which Apple keeps the broadcast for offline phones, if the channel stores messages. 0 is one
    /// attempt; nil leaves it to Apple.
    public var expiration: Int?
    /// `apns-request-id`, the sender's or one made here.
    public var id: String
    /// The body, byte for byte.
    public var payload: [UInt8]
    /// When the simulator took it.
    public var receivedAt: Date
}
