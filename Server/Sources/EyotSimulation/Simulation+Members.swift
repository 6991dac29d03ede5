import EyotCommands
import EyotDomain

/// Requests with very many members, in small: in some plans a transaction tells one member, and the others wait on a list.
extension Simulation {
    var toldAtOnce: Int { plan.seed % 7 < 2 ? 1 : MemberList.toldAtOnce }

    /// Remembers whom a request concerns that is not for everyone, and sees to it that those who wait are told.
    func remember(
        _ declared: SimulationRecord.Declared, of operation: Operation, in generation: SimulationRecord.Generation
    ) throws {
        guard let activity = try operation.activity.flatMap({ try ledger.activity($0) }) else { return }
        try rememberMarked(declared, of: activity.id, in: generation)
        guard operation.untold > 0, let list = try lists().last else { return }
        record.listed[list.id] = SimulationRecord.Listed(generation: generation, declared: declared)
        guard case .scope = list.purpose else { return }
        for ordinal in try ledger.untold(of: list, limit: .max) {
            guard let replica = try ledger.replica(Int(ordinal), of: activity.id), replica.isWithinReach,
                !replica.knowsNewer(than: declared.asOf, in: activity)
            else { continue }
            record.scoped[generation, default: [:]][replica.ordinal, default: []].append(declared)
        }
    }

    /// The next ones on some list are told what was declared for them.
    func tell() throws {
        try write {
            let lists = try lists()
            guard !lists.isEmpty else { return }
            let list = lists[random.below(lists.count)]
            record.note("tell \(list.version) to those after \(list.told)")
            if fault == .membersForgotten {
                try forget(list)
            } else {
                try TellMembers(ledger: ledger, now: now)(list.id, limit: toldAtOnce)
            }
            if case .start = list.purpose, let listed = record.listed[list.id] {
                try rememberMarked(listed.declared, of: list.activity, in: listed.generation)
            }
        }
        var isLeft = false
        try read { isLeft = try !lists().isEmpty }
        if isLeft { node.pending.append(.tell) }
    }

    /// What the fault `membersForgotten` does: the list counts as told.
    private func forget(_ list: MemberList) throws {
        guard var operation = try ledger.operation(list.operation, in: app),
            var activity = try ledger.activity(list.activity)
        else { return }
        operation.untold = 0
        try ledger.update(operation)
        try ledger.remove(list)
        if list.purpose == .scope { activity.untoldScopes -= 1 }
        activity.wake(at: now)
        try ledger.update(activity)
    }

    private func lists() throws -> [MemberList] { try ledger.memberLists(after: 0, limit: .max) }

    /// Those who have been told, and are not remembered yet.
    func rememberMarked(
        _ declared: SimulationRecord.Declared, of activity: ActivityID, in generation: SimulationRecord.Generation
    ) throws {
        for replica in try ledger.replicas(of: activity, after: 0, limit: .max)
        where replica.scoped == declared.version || replica.ending == .declared(version: declared.version) {
            var own = record.scoped[generation]?[replica.ordinal] ?? []
            guard !own.contains(where: { $0.version == declared.version }) else { continue }
            own.append(declared)
            record.scoped[generation, default: [:]][replica.ordinal] = own
        }
    }
}
