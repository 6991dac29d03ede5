/// What a word of a phone says of the starts that were lost to its silence (R6). Part of a transaction.
///
/// An app that runs reports the cards that appear. So a report that comes when a start can no longer arrive, and says
/// nothing of its card, is evidence that there is none. The card is then started again soon.
package struct EndSilence: UseCase {
    /// Seconds without a report after which starts may have been lost to silence. A shorter silence has ended before
    /// the start was lost, and the engine has seen that.
    static let shortest = Lease.lifetime - RestartLost.longestReport

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Parameters:
    ///   - device: the phone that has spoken.
    ///   - moment: when it was heard of before.
    ///   - listed: the types of which it has listed the cards, without one that is unknown.
    ///   - open: the types of which it has listed a card that is unknown, which may be that of a start.
    package func callAsFunction(
        of device: Device, since moment: Instant, listed: Set<String> = [], open: Set<String> = []
    ) throws {
        guard now.seconds(since: moment) >= Self.shortest else { return }
        var silent: [Replica] = []
        try ledger.forEachReplica(of: device.id) { if $0.hasSilentStart { silent.append($0) } }
        for former in silent {
            guard var activity = try ledger.activity(former.activity), !open.contains(activity.type ?? "") else {
                continue
            }
            var lost = former
            lost.refuteStart()
            try transaction.update(lost, from: former, in: device.app)
            guard !activity.isEnded else { continue }
            // A report without a list may be followed by the first report of a card.
            let isListed = listed.contains(activity.type ?? "")
            let notBefore = isListed ? now : now + RestartLost.longestReport
            try restart(former, lost, in: &activity, notBefore: notBefore)
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
        }
    }

    /// Brings the further start forward that waits for the end of the silence, or plans one.
    private func restart(
        _ former: Replica, _ lost: Replica, in activity: inout Activity, notBefore: Instant
    ) throws {
        let later = try ledger.replicas(of: lost.device, named: activity.name, in: activity.app)
            .filter { $0.activity == activity.id && $0.ordinal > lost.ordinal }
        let planned = later.filter { $0.phase == .starting && $0.lease?.state == .planned }
        // A card, or a further start, that has taken a later place speaks for the lost one.
        guard planned.count == later.count else { return }
        guard planned.allSatisfy({ $0.isPlanned(after: notBefore) }) else { return }
        // What was declared for the phone since stands in the place that waits.
        let place = planned.last(where: \.isRestart) ?? former
        guard !place.isEnding(in: activity) else { return }
        for former in planned where former.isRestart {
            var withdrawn = former
            if withdrawn.yieldName(at: now) { try transaction.update(withdrawn, from: former, in: activity.app) }
        }
        _ = try RestartLost(transaction)(place, lost, in: &activity, notBefore: notBefore)
    }
}
