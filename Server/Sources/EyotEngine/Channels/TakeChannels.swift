import APNSWire
import EyotDomain

/// The transaction that finds errands that are due for channels, and claims them.
package struct TakeChannels: UseCase {
    /// Seconds after which a claim without an answer is void, for example after a crash. A page settles sooner.
    static let claim = 30.0
    /// Seconds after which a channel of a halted activity is looked at again, if it is read at all.
    static let haltPause = 5.0

    package let transaction: Transaction
    private let held: HeldLeases
    private let profile: ProfileReader

    /// - Parameter held: The leases of the channels' shards.
    package init(_ transaction: Transaction, holding held: HeldLeases = .unbounded) {
        self.transaction = transaction
        self.held = held
        profile = ProfileReader(transaction.ledger)
    }

    package func callAsFunction(in room: ChannelRoom) throws -> [ChannelTask] { try due(in: room).compactMap(take) }

    /// Channels that may have an errand, for which there is room.
    package func due(in room: ChannelRoom) throws -> [Channel] {
        var room = room
        return try Channel.Errand.allCases.flatMap { errand in
            guard let left = room.left[errand] else { return [Channel]() }
            // An app cannot begin more than its share, so no more of its channels are read.
            let due = try ledger.dueChannels(
                for: errand, at: now, share: errand.share, limit: left + room.busy.count,
                in: room.shards)
            return due.filter { room.take($0) }
        }
    }

    private func take(_ former: Channel) throws -> ChannelTask? {
        var channel = former
        // A channel with an errand under way is not taken.
        channel.loseAnswer()
        guard let app = try ledger.app(channel.app) else { return nil }
        let activity = try ledger.activity(channel.activity)
        let declaration = DeclarationReader(
            ledger, of: channel.activity, doubts: held.doubts(of: channel.activity))
        var job: ChannelTask.Job?
        let profile = try activity.map(profile.callAsFunction) ?? TypeProfile(app: channel.app, type: "")
        switch try channel.due(in: activity, at: now, profile: profile, declaration: declaration.callAsFunction) {
        case .nothing(let until): channel.dueAt = until
        case .rest:
            channel.endLease(at: now)
            // An operation may have waited for a broadcast that is no longer made.
            if var activity {
                activity.wake(at: now)
                try ledger.update(activity)
                ledger.woken.insert(activity.id)
            }
        case .create: job = .make
        case .delete:
            // From now on no activity takes the channel, because its cards would follow a channel that is about to go.
            (channel.phase, channel.freeAt) = (.deleting, nil)
            job = .delete
        case .broadcast where activity.flatMap(app.halt(of:)) != nil: channel.dueAt = now + Self.haltPause
        case .broadcast(let push):
            let isUrgent = try declaration(push.alertVersion)?.content.isUrgent ?? false
            guard let page = try page(push, channel, app, activity, declaration) else { return nil }
            channel.alerting = isUrgent ? 0 : push.alertVersion
            job = .broadcast(push, page, isUrgent: isUrgent)
        }
        if job != nil { channel.dueAt = now + Self.claim }
        try ledger.update(channel)
        return job.map { ChannelTask(channel: channel, app: app, job: $0, takenAt: now, until: end(for: channel)) }
    }

    /// The moment before which an errand of a channel must leave.
    private func end(for channel: Channel) -> Instant? {
        held.end(of: held.sharding.shard(of: channel.activity))
    }

    private func page(
        _ push: Push, _ channel: Channel, _ app: App, _ activity: Activity?, _ declaration: DeclarationReader
    ) throws -> PushPage? {
        guard let apple = channel.apple, let activity else { return nil }
        let template = try push.broadcastTemplate(
            of: activity, in: app, at: now, declaration: declaration.callAsFunction)
        var page = PushPage(environment: channel.environment, recipients: .channels, templates: [template])
        page.stamps = .seconds(from: now, before: end(for: channel))
        // No replica has the ordinal 0.
        page.append(channel: apple, template: 0, id: APNSID(activity: activity.id, version: push.version, ordinal: 0))
        return page
    }
}
