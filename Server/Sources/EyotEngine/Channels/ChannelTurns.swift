import EyotContract
import EyotDomain

/// What is under way for channels, and how much more may begin. Decides; whoever performs it tells what has begun and ended.
package struct ChannelTurns: Sendable {
    /// Broadcasts under way at a time. What is due beyond that waits in the store.
    static let broadcastLimit = 50
    /// Channels of an environment that are being made or deleted at a time. The sender asks for one after the other, and one
    /// that gets no answer takes as long as a page.
    static let upkeepLimit = 5

    private var underWay: [ChannelID: Channel.Errand] = [:]
    /// Nothing leaves before; nil once that has come, whatever the clock reads later.
    private var beginsAt: Instant?

    /// - Parameter beginsAt: the moment before which nothing leaves: who broadcast before may have done so up to then, and no
    ///   channel is pushed to twice in a second (R7).
    package init(beginsAt: Instant) { self.beginsAt = beginsAt }

    /// Nothing is under way.
    package var isIdle: Bool { underWay.isEmpty }

    /// What may begin now.
    package mutating func room(at now: Instant) -> ChannelRoom {
        var room = ChannelRoom(busy: Set(underWay.keys))
        if let beginsAt, now < beginsAt { return room }
        beginsAt = nil
        for errand in Channel.Errand.allCases {
            let limit = errand == .broadcast ? Self.broadcastLimit : Self.upkeepLimit
            let left = limit - underWay.values.count { $0 == errand }
            if left > 0 { room.left[errand] = left }
        }
        return room
    }

    package mutating func begin(_ tasks: [ChannelTask]) {
        for task in tasks { underWay[task.channel.id] = task.channel.errand }
    }

    package mutating func end(_ task: ChannelTask) { underWay[task.channel.id] = nil }
}

/// How many errands for channels may begin.
package struct ChannelRoom: Sendable, Hashable {
    /// Channels for which something is under way.
    package var busy: Set<ChannelID> = []
    /// Of each kind, where any may.
    package var left: [Channel.Errand: Int] = [:]
}
