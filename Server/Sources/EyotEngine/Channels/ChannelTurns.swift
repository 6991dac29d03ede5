import EyotContract
import EyotDomain

/// What is under way for channels, and how much more may begin. Decides; whoever performs it tells what has begun and ended.
package struct ChannelTurns: Sendable {
    private var underWay: [ChannelID: Channel] = [:]
    /// Nothing leaves before; nil once that has come, whatever the clock reads later.
    private var beginsAt: Instant?

    /// - Parameter beginsAt: the moment before which nothing leaves: who broadcast before may have done so up to then, and no
    ///   channel is pushed to twice in a second (R7).
    package init(beginsAt: Instant) { self.beginsAt = beginsAt }

    /// Nothing is under way.
    package var isIdle: Bool { underWay.isEmpty }

    /// What may begin now.
    package mutating func room(at now: Instant) -> ChannelRoom {
        var room = ChannelRoom(busy: underWay.values)
        beginsAt = beginsAt.map { NodeLease.beginning($0, at: now) }
        if let beginsAt, now < beginsAt { return room }
        beginsAt = nil
        for errand in Channel.Errand.allCases {
            let left = room.rooms[errand]?.leftForAnyone ?? 0
            if left > 0 { room.left[errand] = left }
        }
        return room
    }

    package mutating func begin(_ tasks: [ChannelTask]) {
        for task in tasks { underWay[task.channel.id] = task.channel }
    }

    package mutating func end(_ task: ChannelTask) { underWay[task.channel.id] = nil }
}

/// How many errands for channels may begin.
package struct ChannelRoom: Sendable, Hashable {
    /// Channels for which something is under way.
    package private(set) var busy: Set<ChannelID> = []
    /// Of each kind, where any may.
    package var left: [Channel.Errand: Int] = [:]
    /// Of each kind, what apps share.
    fileprivate var rooms: [Channel.Errand: SharedRoom] = [:]

    init(busy channels: some Sequence<Channel>) {
        for errand in Channel.Errand.allCases { rooms[errand] = SharedRoom(limit: errand.limit, perApp: errand.share) }
        for channel in channels {
            busy.insert(channel.id)
            rooms[channel.errand]?.take(1, for: channel.app)
        }
    }

    /// Takes a place for a channel.
    ///
    /// - Returns: false where something is under way for it, or there is no place for its app.
    mutating func take(_ channel: Channel) -> Bool {
        let errand = channel.errand
        guard !busy.contains(channel.id), let places = left[errand], places > 0, let room = rooms[errand],
            room.left(for: channel.app) > 0
        else { return false }
        left[errand] = places - 1
        rooms[errand]?.take(1, for: channel.app)
        return true
    }
}

extension Channel.Errand {
    /// Errands under way at a time, which apps share. What is due beyond that waits in the store.
    var limit: Int {
        switch self {
        case .broadcast: 250
        case .upkeep: 25
        }
    }

    /// Errands of an app under way at a time, and the most that one look begins: one transaction claims them. What gets no
    /// answer takes as long as a page, and an app for which nothing does leaves room for the others (R10). Channels are made and
    /// deleted one after the other by the sender: more at a time would make none of them sooner.
    var share: Int {
        switch self {
        case .broadcast: 50
        case .upkeep: 5
        }
    }
}
