import APNSWire
import Foundation

/// A limit on the broadcasts that each channel accepts within a minute.
///
/// Apple throttles broadcasts and publishes no limit. A guess: the limit applies to each channel, in a sliding window,
/// and refused broadcasts do not count.
struct BroadcastPace: Sendable {
    private static let window: TimeInterval = 60

    /// Nil is no limit.
    let limit: Int?
    /// When each channel took its newest broadcasts, ``limit`` at most.
    private var taken: [APNSChannelID: [Date]] = [:]

    init(limit: Int?) { self.limit = limit }

    /// Counts a broadcast.
    ///
    /// - Throws: `tooManyRequests` for one beyond the limit.
    mutating func admit(_ channel: APNSChannelID, at now: Date) throws(APNSRefusal) {
        guard let limit else { return }
        // A clock that was set back restarts the window.
        let recent = taken[channel, default: []].filter { (0..<Self.window).contains(now.timeIntervalSince($0)) }
        guard recent.count < limit else { throw APNSRefusal(.tooManyRequests) }
        taken[channel] = recent + [now]
    }

    /// Drops the counts of a deleted channel.
    mutating func forget(_ channel: APNSChannelID) { taken[channel] = nil }
}
