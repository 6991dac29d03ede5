import EyotDomain

/// The merge of arrivals: sets the tokens that wait in the log. One transaction.
///
/// A second merge of an arrival changes nothing. Reports of a device are applied in their order (R8), and the arrival
/// is behind by then.
package struct MergeArrivals: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Merges arrivals in this order and leaves them in the log. An id that is no longer in the log was merged already.
    package func callAsFunction(_ ids: some Sequence<Int64>) throws {
        var changed: Set<ActivityID> = []
        var hear = HearEchoes(transaction)
        for id in ids {
            guard let arrival = try ledger.arrival(id) else { continue }
            if try merge(arrival, &hear) { changed.insert(arrival.activity) }
        }
        for id in changed.sorted(by: { $0.rawValue < $1.rawValue }) { try wake(id) }
    }

    /// Merges the arrivals of a device and removes them from the log, because a further report of the device follows.
    package func callAsFunction(of device: DeviceID) throws {
        let arrivals = try ledger.arrivals(of: device)
        guard !arrivals.isEmpty else { return }
        let ids = arrivals.map(\.id)
        try self(ids)
        try ledger.removeArrivals(ids)
    }

    /// - Returns: Whether the replica that the arrival was answered for has changed.
    private func merge(_ arrival: Arrival, _ hear: inout HearEchoes) throws -> Bool {
        guard
            try ledger.advance(
                arrival.device, epoch: arrival.epoch, to: arrival.sequence, at: arrival.answeredAt)
        else { return false }
        guard let former = try ledger.replica(arrival.ordinal, of: arrival.activity),
            former.isPlace(of: arrival, at: now), try isFree(arrival, at: former)
        else {
            if let device = try ledger.device(arrival.device), !device.isForgotten {
                try ApplyChanges(transaction).place(arrival, of: device)
                if let digest = arrival.digest {
                    try hear(digest, fromCard: arrival.instance, on: arrival.device, at: arrival.answeredAt)
                }
            }
            return false
        }
        var replica = former
        let isChanged = replica.set(arrival)
        if isChanged { try transaction.update(replica, from: former, in: arrival.app) }
        if let digest = arrival.digest { try hear(digest, from: replica, at: arrival.answeredAt) }
        return isChanged
    }

    /// Whether the card has no other place since. Its phone may have reported it under another name in between.
    private func isFree(_ arrival: Arrival, at place: Replica) throws -> Bool {
        guard place.instance == nil else { return true }
        return try ledger.replica(ofInstance: arrival.instance, on: arrival.device) == nil
    }

    private func wake(_ id: ActivityID) throws {
        guard var activity = try ledger.activity(id) else { return }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(id)
    }
}
