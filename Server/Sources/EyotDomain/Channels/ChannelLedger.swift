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
    /// Channels for which one kind of errand is due, in environments in which their apps are not paused, at or before a moment, soonest first.
    func dueChannels(for errand: Channel.Errand, at now: Instant, limit: Int) throws -> [Channel]
}

extension [Channel] {
    /// The soonest of them.
    package func sortedByDue(limit: Int) -> [Channel] {
        let key = { (channel: Channel) in (channel.dueAt?.microseconds ?? .max, channel.id.rawValue) }
        return Array(sorted { key($0) < key($1) }.prefix(limit))
    }
}
