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
        let place = SimulationRecord.Place(activity: activity, ordinal: sent.ordinal)
        record.accepted[place, default: []].append(.init(at: now, id: id))
        if sent.push.event == .update { record.updated.insert(place) }
    }

    /// The replicas that an accepted end of a page may end.
    func openEnds(on page: TakenPage, _ verdicts: PageVerdicts) throws -> [Replica] {
        var open: [Replica] = []
        for run in page.runs {
            for slot in run.slots where verdicts.verdicts[slot] == .accepted && page.sent[slot].push.event == .end {
                let replica = try ledger.replica(page.sent[slot].ordinal, of: run.activity)
                if let replica, replica.phase != .ended { open.append(replica) }
            }
        }
        return open
    }

    /// Records which replicas have ended by an acceptance alone. Other ends are events.
    ///
    /// - Parameter id: the newest event before the transaction.
    func noteEnds(of open: [Replica], after id: Int64) throws {
        guard !open.isEmpty else { return }
        let events = try ledger.events(of: app, about: .app, after: id, limit: .max)
        for former in open {
            let isEvent = events.contains {
                $0.fact.kind == .cardEnded && $0.activity == former.activity && $0.ordinal == former.ordinal
            }
            guard !isEvent, try ledger.replica(former.ordinal, of: former.activity)?.phase == .ended else { continue }
            record.ends[.init(activity: former.activity, ordinal: former.ordinal), default: 0] += 1
        }
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
