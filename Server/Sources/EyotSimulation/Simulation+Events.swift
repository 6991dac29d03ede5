import EyotDomain

/// The planted faults in the record of events.
extension Simulation {
    /// One of this many transactions is spoiled.
    private static let spoiling = 7

    func newestEvent(in ledger: any Ledger) throws -> Int64 {
        try ledger.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0
    }

    /// Records when the transaction's events happened.
    func noteMoment(in ledger: any Ledger) throws {
        let newest = try newestEvent(in: ledger)
        if newest > record.moments.last?.event ?? 0 { record.moments.append((newest, now)) }
    }

    /// Implements the faults `eventsLost`, `eventsTwice`, `eventsLate` and `eventsDisordered`, and remembers events for
    /// `eventsOfUndone`.
    ///
    /// - Parameter id: the newest event before the transaction.
    func spoilEvents(after id: Int64) throws {
        let faults: [PlantedFault] = [.eventsLost, .eventsTwice, .eventsOfUndone, .eventsLate, .eventsDisordered]
        guard let fault, faults.contains(fault) else { return }
        let events = try ledger.events(of: app, about: .app, after: id, limit: .max)
        undoneEvents = events
        guard let last = events.last, last.id % Int64(Self.spoiling) == 0 else { return }
        if fault == .eventsTwice { try ledger.record(last) }
        guard fault != .eventsTwice, let device = last.device,
            var first = try ledger.events(of: app, about: .device(device), after: 0, limit: 1).first
        else { return }
        _ = try ledger.removeEvents(of: device, limit: 1)
        if fault == .eventsDisordered { first.at = now }
        if fault != .eventsLost { try ledger.record(first) }
    }

    /// Implements the fault `eventsOfUndone`.
    func recordUndoneEvents() throws {
        guard fault == .eventsOfUndone else { return }
        try store.write { ledger in
            for event in undoneEvents { try ledger.record(event) }
        }
        undoneEvents = []
    }
}
