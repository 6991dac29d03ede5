import APNSWire
import EyotDomain
import Foundation

/// Apple's side of channels.
struct SimulatedChannels {
    /// So many may an app have at Apple, and so many may the server's pool hold: few, so that both limits are met.
    static let limit = 7
    static let poolLimit = 3

    /// Those that there are.
    private(set) var ids: Set<APNSChannelID> = []
    /// Made, and the server has not noted it: its answer is on the way, or was lost.
    private(set) var unnoted: Set<APNSChannelID> = []
    /// When something was sent last on each.
    private(set) var last: [APNSChannelID: Instant] = [:]
    private var made: UInt64 = 0

    /// Nil where Apple makes no more.
    mutating func make() -> APNSChannelID? {
        guard ids.count < Self.limit else { return nil }
        made += 1
        let bytes = withUnsafeBytes(of: made.bigEndian) { Data($0) }
        guard let id = APNSChannelID(bytes.base64EncodedString()) else { return nil }
        ids.insert(id)
        unnoted.insert(id)
        return id
    }

    /// - Returns: whether there was such a channel.
    mutating func remove(_ id: APNSChannelID) -> Bool { ids.remove(id) != nil }

    mutating func noteKnown(_ id: APNSChannelID) { unnoted.remove(id) }

    mutating func noteSent(on id: APNSChannelID, at now: Instant) { last[id] = now }
}
