import EyotDomain

/// The planted faults in kept numbers.
extension Simulation {
    /// Implements the faults `countsTwice` and `endsUncounted`.
    func spoilCounts() throws {
        let ledger = try ledger
        guard let fault, [.countsTwice, .endsUncounted].contains(fault),
            let key = ledger.counted.values.keys.filter({ $0.activity.rawValue > 0 }).min()
        else { return }
        if fault == .countsTwice {
            guard key.span.second % 7 == 0 else { return }
            ledger.counted.merge(ledger.counted)
        } else {
            let ended = CountKey(app: app, activity: key.activity, .phase, "ended")
            ledger.counted.add(-(ledger.counted.values[ended] ?? 0), to: ended)
        }
    }
}
