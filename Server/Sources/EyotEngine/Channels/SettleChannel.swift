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
        let wasWanted = channel.phase == .wanted
        let pause =
            switch outcome {
            case .answered(let answer): channel.settle(answer, at: now)
            case .broadcast(let push, let verdict, let isUrgent):
                channel.settle(push, verdict, at: now, isUrgent: isUrgent)
            }
        guard channel.phase != .deleted else { return try ledger.removeChannel(channel.id) }
        try ledger.update(channel)
        if wasWanted, channel.phase != .wanted { try wakeStarts(of: channel.activity) }
        if let pause { try PauseApp(ledger: ledger, now: now)(channel.app, because: pause) }
    }

    /// Starts have waited for the channel.
    private func wakeStarts(of id: ActivityID) throws {
        guard var activity = try ledger.activity(id) else { return }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(id)
    }
}
