import APNSWire
import EyotDomain
import Foundation

/// Apple's side of channels.
struct SimulatedChannels {
    /// The most channels of an app at Apple, and the most in the server's pool. Both are small, so that both limits are
    /// reached.
    static let limit = 7
    static let poolLimit = 3

    /// The existing channels.
    private(set) var ids: Set<APNSChannelID> = []
    /// The channels that Apple made and the server has not recorded. The answer is on the way, or was lost.
    private(set) var unnoted: Set<APNSChannelID> = []
    /// The moment of the last push on each channel.
    private(set) var last: [APNSChannelID: Instant] = [:]
    private var made: UInt64 = 0

    /// Makes a channel; nil if Apple makes no more.
    mutating func make() -> APNSChannelID? {
        guard ids.count < Self.limit else { return nil }
        made += 1
        let bytes = withUnsafeBytes(of: made.bigEndian) { Data($0) }
        guard let id = APNSChannelID(bytes.base64EncodedString()) else { return nil }
        ids.insert(id)
        unnoted.insert(id)
        return id
    }

    /// Removes a channel.
    ///
    /// - Returns: whether it existed.
    mutating func remove(_ id: APNSChannelID) -> Bool { ids.remove(id) != nil }

    mutating func noteKnown(_ id: APNSChannelID) { unnoted.remove(id) }

    mutating func noteSent(on id: APNSChannelID, at now: Instant) { last[id] = now }
}
