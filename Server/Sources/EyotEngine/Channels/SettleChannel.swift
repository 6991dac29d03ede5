import APNSWire
import EyotDomain

/// Notes what Apple said of a channel. One transaction.
package struct SettleChannel {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    package func callAsFunction(_ task: ChannelTask, _ outcome: ChannelOutcome) throws {
        guard var channel = try ledger.channel(task.channel.id), channel.activity == task.channel.activity else {
            return
        }
        let former = channel
        let pause =
            switch outcome {
            case .answered(let answer): channel.settle(answer, at: now)
            case .broadcast(let push, let verdict, let isUrgent):
                channel.settle(push, verdict, at: now, isUrgent: isUrgent)
            }
        guard channel.phase != .deleted else { return try ledger.removeChannel(channel.id) }
        try ledger.update(channel)
        let isMade = former.phase == .wanted && channel.phase != .wanted
        if isMade || channel.accepted != former.accepted { try wake(channel.activity) }
        if let pause { try PauseApp(ledger: ledger, now: now)(channel.app, because: pause) }
    }

    /// Starts have waited for the channel, or operations for its broadcast.
    private func wake(_ id: ActivityID) throws {
        guard var activity = try ledger.activity(id) else { return }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(id)
    }
}
