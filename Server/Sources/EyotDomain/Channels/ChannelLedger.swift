import EyotContract

/// The channels of apps.
package protocol ChannelLedger: AnyObject {
    /// Stores a new channel; the id in the result is the store's.
    func insert(_ channel: Channel) throws -> Channel
    func update(_ channel: Channel) throws
    func removeChannel(_ id: ChannelID) throws
    func channel(_ id: ChannelID) throws -> Channel?
    /// Channels that an activity has or had last, in order of their environments' names.
    func channels(of activity: ActivityID) throws -> [Channel]
    /// Channels of an app above an id, in order of their ids.
    func channels(in app: AppID, after id: ChannelID, limit: Int) throws -> [Channel]
    /// Returns the channel that has been free for longest; nil if none is.
    func freeChannel(of app: AppID, in environment: PushEnvironment, at now: Instant) throws -> Channel?
    /// The number of channels that are wanted, leased, resting or being deleted.
    func channelCount(of app: AppID, in environment: PushEnvironment) throws -> Int
    /// Channels with one kind of errand due at or before a moment, by turns of the apps and soonest first within an
    /// app.
    ///
    /// Paused apps are left out; apps that are being removed still get upkeep. Halted activities get no broadcasts
    /// until only the end of the lease is left to do.
    ///
    /// - Parameters:
    ///   - share: the most channels of one app.
    ///   - shards: the activities of the channels.
    func dueChannels(
        for errand: Channel.Errand, at now: Instant, share: Int, limit: Int, in shards: Shards
    ) throws -> [Channel]
    /// Channels of an app with one kind of errand due after one moment and up to another, soonest first.
    func channelsDue(
        for errand: Channel.Errand, of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) throws -> [Channel]
}

extension ChannelLedger {
    package func dueChannels(
        for errand: Channel.Errand, at now: Instant, share: Int, limit: Int
    ) throws -> [Channel] { try dueChannels(for: errand, at: now, share: share, limit: limit, in: .all) }
}

extension Channel {
    /// Orders the channels of several apps by turns, so that an app with much work does not delay the others (R10).
    ///
    /// - Parameter apps: the due channels of each app, soonest first.
    /// - Returns: at most `limit` channels, the first of each app before the second of any.
    package static func byTurns(_ apps: [[Channel]], limit: Int) -> [Channel] {
        func key(_ placed: (offset: Int, element: Channel)) -> (Int, Int64, Int64) {
            (placed.offset, placed.element.dueAt?.microseconds ?? .max, placed.element.id.rawValue)
        }
        let placed = apps.flatMap { $0.prefix(limit).enumerated() }.sorted { key($0) < key($1) }
        return placed.prefix(limit).map(\.element)
    }
}

extension ChannelLedger {
    /// Makes the activity's channels due because something was declared for everyone. It also ends their pauses after
    /// failures.
    ///
    /// - Returns: the channels that the activity has or wants.
    @discardableResult
    package func wakeChannels(of activity: ActivityID, at now: Instant) throws -> [Channel] {
        var channels = try channels(of: activity).filter { [.wanted, .leased].contains($0.phase) }
        for index in channels.indices {
            channels[index].wake(at: now)
            try update(channels[index])
        }
        return channels
    }
}
