import APNSWire
import EyotDomain
import EyotEngine

/// What Apple has accepted for each card, as the simulation saw it.
extension Simulation {
    /// A row is spoiled while the newest of an activity has a multiple of this as its id.
    private static let spoiling: Int64 = 5

    /// Records a push that Apple has accepted, as its verdict is stored.
    func noteAccepted(_ sent: SentPush, of activity: ActivityID) {
        let id = APNSID(
            activity: activity, version: sent.push.version, ordinal: sent.ordinal, isStart: sent.push.event == .start)
        if !record.passed.contains(id) { record.violate("R15: \(id) counts as accepted, and Apple has not taken it") }
        record.accepted[.init(activity: activity, ordinal: sent.ordinal), default: []].append(.init(at: now, id: id))
    }

    /// Implements the faults `acceptancesLost` and `acceptancesMisplaced`, on the oldest row of an activity.
    func spoilAcceptances() throws {
        guard let fault, [.acceptancesLost, .acceptancesMisplaced].contains(fault) else { return }
        for name in Self.names {
            guard let activity = try ledger.newestActivity(named: name, in: app) else { continue }
            let rows = try (0...RingPage.number(of: activity.nextOrdinal)).flatMap {
                try ledger.acceptances(of: activity.id, onPage: $0, limit: .max)
            }.sorted { $0.id < $1.id }
            guard var oldest = rows.first, let newest = rows.last, newest.id % Self.spoiling == 0 else { continue }
            _ = try ledger.removeAcceptances(of: activity.id, limit: 1)
            guard fault == .acceptancesMisplaced else { continue }
            oldest.slots = neighbours(of: oldest)
            try ledger.record(oldest)
        }
    }

    private func neighbours(of row: Acceptances) -> RingSlots {
        var slots = RingSlots()
        let first = RingPage.first(onPage: row.page)
        for ordinal in first..<first + RingPage.capacity - 1 where row.slots.contains(ordinal) {
            slots.insert(ordinal + 1)
        }
        return slots
    }
}
