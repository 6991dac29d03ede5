import APNSWire
import EyotDomain

/// The transaction that records Apple's answer for a channel.
package struct SettleChannel: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    package func callAsFunction(_ task: ChannelTask, _ answered: ChannelOutcome) throws {
        guard var channel = try ledger.channel(task.channel.id), channel.activity == task.channel.activity else {
            return
        }
        let former = channel
        let app = try ledger.app(channel.app)
        let renewedAt = task.app.renewedAt[channel.environment]
        let isVoid = app?.isRenewed(in: channel.environment, since: renewedAt) ?? false
        let outcome = isVoid ? answered.voided : answered
        let pause =
            switch outcome {
            case .answered(let answer): channel.settle(answer, at: now)
            case .broadcast(let push, let verdict, let stampedUpTo, let isUrgent):
                channel.settle(
                    push, PushAnswer(verdict, at: now, stampedUpTo: stampedUpTo), takenAt: task.takenAt,
                    isUrgent: isUrgent)
            }
        guard channel.phase != .deleted else { return try ledger.removeChannel(channel.id) }
        // A newer declaration has woken the channel meanwhile, and the pause is only for the failed one.
        if case .broadcast(let push, _, _, _) = outcome, try isOvertaken(push, in: channel) {
            channel.wake(at: now)
        }
        try ledger.update(channel)
        // Starts may have waited for the channel, or operations for its broadcast.
        let isNews = channel.phase != former.phase || channel.accepted != former.accepted
        try note(outcome, of: channel.activity, isNews: isNews)
        if channel.edition > former.edition { try lookAtFollowers(of: channel.activity) }
        try countAge(of: outcome, since: former)
        // No answer to a broadcast makes a token suspect, so no suspicion has to be cleared.
        if let pause {
            _ = try PauseApp(transaction)(
                AppFault(of: channel.app, in: channel.environment, renewedAt: renewedAt, because: pause))
        }
    }

    /// Makes the pages of a large activity unseen, because cards that follow its channel are cut off.
    private func lookAtFollowers(of id: ActivityID) throws {
        guard let last = try ledger.lastRingPage(of: id) else { return }
        try ledger.changeRingPages(of: id, upTo: last)
    }

    private func isOvertaken(_ push: Push, in channel: Channel) throws -> Bool {
        guard channel.phase == .leased, let activity = try ledger.activity(channel.activity) else { return false }
        return push.version < max(activity.common.state, activity.end ?? 0)
    }

    /// Counts how long the state of an accepted broadcast waited. A repetition has nothing new.
    private func countAge(of outcome: ChannelOutcome, since former: Channel) throws {
        guard case .broadcast(let push, .accepted, _, _) = outcome, push.version > former.accepted,
            let activity = try ledger.activity(former.activity),
            let declared = try ledger.declaration(push.version, of: activity.id)?.countsFrom
        else { return }
        transaction.countBroadcast(declared: declared, of: activity)
    }

    private func note(_ outcome: ChannelOutcome, of id: ActivityID, isNews: Bool) throws {
        guard var activity = try ledger.activity(id) else { return }
        let former = activity
        if case .broadcast(let push, let verdict, _, _) = outcome {
            activity.tally.broadcasts.add(verdict)
            if let fact = Fact(push, broadcast: verdict) { try transaction.record(fact, of: activity) }
        }
        if isNews {
            activity.wake(at: now)
            ledger.woken.insert(id)
        }
        if activity != former { try ledger.update(activity) }
    }
}

extension Fact {
    /// What Apple answered to a broadcast; nil if the broadcast did not leave.
    fileprivate init?(_ push: Push, broadcast verdict: PushVerdict) {
        if let reason = verdict.reason {
            self.init(.broadcastRefused, version: push.version, reason: reason.name)
        } else if verdict == .accepted || verdict == .unknown {
            self.init(verdict == .accepted ? .broadcastAccepted : .broadcastUnknown, version: push.version)
        } else {
            return nil
        }
    }
}

extension ChannelOutcome {
    /// The outcome if a key was stored or the app resumed since. A refusal that would pause the app then counts as a
    /// failure, and the request is made again.
    fileprivate var voided: ChannelOutcome {
        switch self {
        case .answered(.refused(let reason)) where reason.action == .pauseApp: .answered(.failed)
        case .broadcast(let push, let verdict, let stampedUpTo, let isUrgent)
        where verdict.reason?.action == .pauseApp:
            .broadcast(push, .notProcessed, stampedUpTo: stampedUpTo, isUrgent: isUrgent)
        case .answered, .broadcast: self
        }
    }
}
