import EyotContract
import EyotDomain

/// The errands for channels under way, and how many more may begin. It decides only; its caller reports which errands
/// begin and end.
package struct ChannelTurns: Sendable {
    private var underWay: [ChannelID: Channel] = [:]
    /// The activities that this node pushes for.
    package var shards: Shards

    package init(for shards: Shards = .all) { self.shards = shards }

    /// Whether nothing is under way.
    package var isIdle: Bool { underWay.isEmpty }

    /// The activities of the channels with an errand under way.
    package var activities: [ActivityID] { underWay.values.map(\.activity) }

    /// The room for errands that may begin now.
    package func room() -> ChannelRoom {
        var room = ChannelRoom(busy: underWay.values, shards: shards)
        guard !shards.isEmpty else { return room }
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

/// The room for errands of channels.
package struct ChannelRoom: Sendable, Hashable {
    /// Channels with an errand under way.
    package private(set) var busy: Set<ChannelID> = []
    /// The activities of channels that errands may begin for.
    package var shards: Shards
    /// How many errands of each kind may begin. A kind without room is missing.
    package var left: [Channel.Errand: Int] = [:]
    /// The room of each kind, which apps share.
    fileprivate var rooms: [Channel.Errand: SharedRoom] = [:]

    init(busy channels: some Sequence<Channel>, shards: Shards) {
        self.shards = shards
        for errand in Channel.Errand.allCases { rooms[errand] = SharedRoom(limit: errand.limit, perApp: errand.share) }
        for channel in channels {
            busy.insert(channel.id)
            rooms[channel.errand]?.take(1, for: channel.app)
        }
    }

    /// Takes a place for a channel.
    ///
    /// - Returns: False if an errand is under way for the channel, or there is no place for its app.
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
    /// How many errands are under way at a time. Apps share them, and further errands wait in the store.
    var limit: Int {
        switch self {
        case .broadcast: 250
        case .upkeep: 25
        }
    }

    /// How many errands of an app are under way at a time, and the most that one look begins, because one transaction
    /// claims them. An errand without an answer takes as long as a page. An app that gets no answers leaves room for
    /// the others (R10). The sender makes and deletes channels one after the other, so a larger number would make none
    /// of them sooner.
    var share: Int {
        switch self {
        case .broadcast: 50
        case .upkeep: 5
        }
    }
}
