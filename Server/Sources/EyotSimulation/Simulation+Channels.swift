import APNSWire
import EyotDomain
import EyotEngine

/// The channels' reconciler, in the steps of its service, and Apple's answers.
extension Simulation {
    var hasChannels: Bool { plan.troubles.contains(.channels) }

    /// Plans a look at the store if something is due there.
    func lookLater() throws {
        guard hasChannels, node.isServing, !node.isLooking else { return }
        let room = node.turns.room()
        try read { node.isLooking = try !TakeChannels(Transaction(ledger, at: now)).due(in: room).isEmpty }
        if node.isLooking { node.pending.append(.look) }
    }

    /// Returns the moment when something is due for a channel next.
    func nextChannelDue() throws -> Instant? {
        guard hasChannels else { return nil }
        var next: Instant?
        try read {
            for errand in Channel.Errand.allCases {
                let first = try ledger.dueChannels(
                    for: errand, at: Instant(microseconds: .max), share: 1, limit: 1, in: node.turns.shards
                ).first
                next = Instant.soonest(next, first?.dueAt)
            }
        }
        return next
    }

    func look() throws {
        node.isLooking = false
        let room = node.turns.room()
        guard !room.left.isEmpty, let served = node.holding?.served else { return }
        var tasks: [ChannelTask] = []
        do {
            try writeHeld(served) { held in
                if fault == .channelsRestless { try freeChannels() }
                let take = TakeChannels(Transaction(try ledger, at: now), holding: held)
                tasks = try take(in: room)
            }
        } catch let lost as TenureLost {
            return lose(lost.shards)
        }
        node.turns.begin(tasks)
        for task in tasks { node.pending.append(.ask(task)) }
        if !tasks.isEmpty { node.pageSince = node.pageSince ?? time }
    }

    // MARK: Apple

    /// Sends a request for a channel, which may not reach Apple.
    func ask(_ task: ChannelTask) throws {
        let fate = brokenKey == task.channel.environment ? .refused(complaint) : fate()
        let isOver = task.until.map { now >= $0 } ?? false
        let outcome: ChannelOutcome
        switch task.job {
        case .make where isOver, .delete where isOver: outcome = .answered(.failed)
        case .make: outcome = .answered(make(fate))
        case .delete: outcome = .answered(delete(task.channel, fate))
        case .broadcast(let push, let page, let isUrgent):
            let (verdict, stamp) = try broadcast(page, of: task.channel, fate)
            outcome = .broadcast(push, verdict, stampedUpTo: stamp, isUrgent: isUrgent)
        }
        record.note("channel \(task.channel.id.rawValue): \(task.job.word) \(outcome.word)")
        node.pending.append(.told(task, outcome))
    }

    private func make(_ fate: Fate) -> ChannelAnswer {
        switch fate {
        case .notProcessed, .lost: return .failed
        case .answerLost:
            _ = appleChannels.make()
            return .failed
        // Apple cannot say of a channel that is to be made that it does not exist.
        case .refused(let reason) where reason != .channelNotRegistered: return .refused(reason)
        case .apple, .refused: return appleChannels.make().map { .made($0) } ?? .refused(.cannotCreateChannelConfig)
        }
    }

    private func delete(_ channel: Channel, _ fate: Fate) -> ChannelAnswer {
        guard let id = channel.apple else { return .failed }
        switch fate {
        case .notProcessed, .lost: return .failed
        case .answerLost:
            _ = appleChannels.remove(id)
            return .failed
        case .refused(let reason) where reason != .channelNotRegistered: return .refused(reason)
        case .apple, .refused: return appleChannels.remove(id) ? .deleted : .refused(.channelNotRegistered)
        }
    }

    // MARK: What came of it

    func told(_ task: ChannelTask, _ outcome: ChannelOutcome) throws {
        do {
            try writeHeld([shard(of: task.channel.activity)]) { _ in
                try SettleChannel(Transaction(ledger, at: now))(task, misread(outcome))
                try breakChannel(task.channel.id)
            }
        } catch let lost as TenureLost {
            node.turns.end(task)
            lose(lost.shards)
            return try giveBack()
        }
        node.turns.end(task)
        try giveBack()
        switch outcome {
        case .answered(.made(let id)):
            appleChannels.noteKnown(id)
            let known = appleChannels.ids.subtracting(appleChannels.unnoted).count
            if known > SimulatedChannels.poolLimit { record.violate("R11: \(known) channels are more than the pool's") }
        // Another channel takes its place, and the cards of these starts are started anew.
        case .broadcast(_, PushVerdict.refused(.channelNotRegistered), _, _):
            record.channelStarts[task.channel.activity] = nil
        case .broadcast(let push, .accepted, _, _):
            if push.alertVersion > 0 { record.alerts.insert(task.channel.alertKey(push.alertVersion)) }
            if push.event == .end { record.broadcastEnds[task.channel.activity] = time }
        default: break
        }
    }

    /// Implements the faults `broadcastsLost` and `channelsForgotten`.
    private func misread(_ outcome: ChannelOutcome) -> ChannelOutcome {
        switch (fault, outcome) {
        case (.broadcastsLost, .broadcast(let push, .unknown, let second, let isUrgent)):
            .broadcast(push, .accepted, stampedUpTo: second, isUrgent: isUrgent)
        case (.channelsForgotten, .answered(.made)): .answered(.failed)
        default: outcome
        }
    }

    /// Implements the fault `endsBroadcastOnce`.
    private func breakChannel(_ id: ChannelID) throws {
        guard fault == .endsBroadcastOnce, var channel = try ledger.channel(id), channel.ends > 0,
            channel.phase == .leased
        else { return }
        channel.dueAt = nil
        try ledger.update(channel)
    }

    /// Implements the fault `channelsRestless`.
    private func freeChannels() throws {
        for var channel in try ledger.channels(in: app, after: ChannelID(rawValue: 0), limit: .max)
        where channel.phase == .leased {
            guard try ledger.activity(channel.activity)?.isEnded == true else { continue }
            (channel.phase, channel.freeAt, channel.dueAt) = (.resting, now, nil)
            try ledger.update(channel)
        }
    }
}

extension Channel {
    /// Returns the record's key for an alert of this channel's activity.
    func alertKey(_ version: Int) -> String { "channel of \(activity.rawValue)-\(version)" }
}

extension ChannelTask.Job {
    fileprivate var word: String {
        switch self {
        case .make: "make"
        case .delete: "delete"
        case .broadcast(let push, _, _): "\(push.event.rawValue) \(push.version)"
        }
    }
}

extension ChannelOutcome {
    fileprivate var word: String {
        switch self {
        case .answered(.made(let id)): "made \(id)"
        case .answered(let answer): "\(answer)"
        case .broadcast(_, let verdict, _, _): verdict.reason?.name ?? "verdict \(verdict.rawValue)"
        }
    }
}
