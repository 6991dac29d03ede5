import EyotDomain
import EyotEngine

/// An operation is done when everybody has it who was there, though others join all the time.
extension Simulation {
    /// Notes whom an operation that was accepted concerns.
    func noteHolders(of operation: Operation) throws {
        guard let id = operation.activity, operation.members == nil else { return }
        for replica in try ledger.replicas(of: id, after: 0, limit: .max) where replica.phase == .live {
            record.holders[operation.id, default: [:]][replica.ordinal] = replica.token?.version
        }
    }

    func conclude(_ id: ActivityID, upTo version: Int) throws {
        let open = try ledger.openOperations(of: id, limit: .max)
        try Rest(ledger: ledger, now: now).conclude(id, upTo: version)
        guard let activity = try ledger.activity(id) else { return }
        record.note("conclude \(id.rawValue) up to \(version)")
        let left = Set(try ledger.openOperations(of: id, limit: .max).map(\.id))
        for operation in open where operation.version == activity.version && !left.contains(operation.id) {
            try judge(operation, of: activity)
        }
    }

    private func judge(_ operation: Operation, of activity: Activity) throws {
        let ledger = try ledger
        let declaration = DeclarationReader(ledger, of: activity.id)
        for (ordinal, version) in (record.holders[operation.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let replica = try ledger.replica(ordinal, of: activity.id), replica.phase == .live,
                replica.token?.version == version
            else { continue }
            let due = try replica.due(
                in: activity, at: now, profile: ProfileReader(ledger)(of: activity), startToken: { nil },
                osVersion: { .remoteStart }, declaration: declaration.callAsFunction)
            switch due {
            case .nothing, .expired, .abandonStart: continue
            case .push, .later:
                record.violate("R1: operation \(operation.id) is done, and \(ordinal) of \(activity.name) is behind")
            }
        }
    }
}
