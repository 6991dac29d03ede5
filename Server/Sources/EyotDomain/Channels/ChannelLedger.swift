import EyotContract

/// Channels.
package protocol ChannelLedger: AnyObject {
    /// Stores a new channel; the id in the result is the store's.
    func insert(_ channel: Channel) throws -> Channel
    func update(_ channel: Channel) throws
    func removeChannel(_ id: ChannelID) throws
    func channel(_ id: ChannelID) throws -> Channel?
    /// Those that an activity has or had last, in order of their environments' names.
    func channels(of activity: ActivityID) throws -> [Channel]
    /// Channels of an app above an id, in order of their ids.
    func channels(in app: AppID, after id: ChannelID, limit: Int) throws -> [Channel]
    /// One that has rested, the longest first.
    func freeChannel(of app: AppID, in environment: PushEnvironment, at now: Instant) throws -> Channel?
    /// How many are wanted, leased, resting or being deleted.
    func channelCount(of app: AppID, in environment: PushEnvironment) throws -> Int
    /// Channels for which one kind of errand is due at or before a moment, where their apps are not paused: by turns of the apps,
    /// and those of an app soonest first. Upkeep for apps that are being removed, too. No broadcasts of what is halted, until all there is to do is to end the lease.
    ///
    /// - Parameter share: so many of one app, at most.
    func dueChannels(for errand: Channel.Errand, at now: Instant, share: Int, limit: Int) throws -> [Channel]
    /// Channels of an app for which one kind of errand is due after one moment and up to another, soonest first.
    func channelsDue(
        for errand: Channel.Errand, of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) throws -> [Channel]
}

extension Channel {
    /// Takes the channels of several apps by turns: however much is due for one of them, the others do not wait behind it (R10).
    ///
    /// - Parameter apps: what is due for each app, soonest first.
    /// - Returns: as many as the limit, the first of each app before the second of any.
    package static func byTurns(_ apps: [[Channel]], limit: Int) -> [Channel] {
        func key(_ placed: (offset: Int, element: Channel)) -> (Int, Int64, Int64) {
            (placed.offset, placed.element.dueAt?.microseconds ?? .max, placed.element.id.rawValue)
        }
        let placed = apps.flatMap { $0.prefix(limit).enumerated() }.sorted { key($0) < key($1) }
        return placed.prefix(limit).map(\.element)
    }
}

extension ChannelLedger {
    /// Something was declared for everyone: a pause after what failed before does not hold it up.
    ///
    /// - Returns: the channels that the activity has, or asks for.
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
