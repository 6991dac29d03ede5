import EyotCommands
import EyotContract
import EyotDomain

/// A flood of tokens, in small: some reports go into the log, which is merged at some moment.
extension Simulation {
    /// Every third report that may go into the log does.
    func log(_ batch: DeviceChangeBatch, of device: DeviceID) throws -> DeviceAnswer? {
        guard plan.troubles.contains(.floods), random.percent(34) else { return nil }
        var answer = AnswerArrivals(ledger: try ledger, now: now)
        guard let report = try answer(batch, of: device), try ledger.append(report.arrival) else { return nil }
        record.note("it goes into the log")
        pending.append(.merge)
        return report.answer
    }

    /// Half of the time the process would die before what is merged is removed: it is merged again, then.
    func merge() throws {
        var places: [ArrivalPlace] = []
        try read { places = try ledger.arrivalPlaces(of: app, limit: .max) }
        guard !places.isEmpty else { return }
        record.note("merge \(places.count)")
        if fault != .tokensForgotten {
            try write { try MergeArrivals(ledger: ledger, now: now)(places.map(\.id)) }
            if !isPeace, random.percent(50) { return pending.append(.merge) }
        }
        try write { for place in places { try ledger.removeArrival(place.id) } }
    }
}
