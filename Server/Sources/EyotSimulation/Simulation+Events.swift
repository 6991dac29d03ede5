import EyotDomain

/// The planted faults in the record of events.
extension Simulation {
    /// One of this many transactions is spoiled.
    private static let spoiling = 7

    func newestEvent() throws -> Int64 {
        try ledger.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0
    }

    /// Implements the faults `eventsLost` and `eventsTwice`, and remembers events for `eventsOfUndone`.
    ///
    /// - Parameter id: the newest event before the transaction.
    func spoilEvents(after id: Int64) throws {
        guard let fault, [.eventsLost, .eventsTwice, .eventsOfUndone].contains(fault) else { return }
        let events = try ledger.events(of: app, about: .app, after: id, limit: .max)
        undoneEvents = events
        guard let last = events.last, last.id % Int64(Self.spoiling) == 0 else { return }
        if fault == .eventsTwice { try ledger.record(last) }
        if fault == .eventsLost, let device = last.device {
            _ = try ledger.removeEvents(of: device, limit: 1)
        }
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
