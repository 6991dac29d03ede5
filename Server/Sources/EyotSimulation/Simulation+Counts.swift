import EyotDomain

/// The planted faults in kept numbers.
extension Simulation {
    /// Implements the faults `countsTwice`, `endsUncounted`, `updatesForgotten` and `propertiesUncounted`.
    func spoilCounts() throws {
        let ledger = try ledger
        let faults: [PlantedFault] = [.countsTwice, .endsUncounted, .updatesForgotten, .propertiesUncounted]
        guard let fault, faults.contains(fault) else { return }
        let places = ledger.counted.spans.keys + ledger.counted.values.keys.map(\.place)
        guard let place = places.filter({ $0.activity.rawValue > 0 }).min() else { return }
        switch fault {
        case .countsTwice:
            guard place.span.second % 7 == 0 else { return }
            ledger.counted.merge(ledger.counted)
        case .endsUncounted:
            let ended = CountKey(app: app, activity: place.activity, .phase, "ended")
            ledger.counted.add(-(ledger.counted.values[ended] ?? 0), to: ended)
        case .updatesForgotten: try ledger.put(updatedCards: RingSlots(), onPage: 0, of: place.activity)
        default:
            for (key, value) in ledger.counted.values where key.counter == .over.by(.build) {
                ledger.counted.add(-value, to: key)
            }
        }
    }
}
