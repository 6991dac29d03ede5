import EyotCommands
import EyotDomain

/// Requests with very many members, at a small scale. In some plans a transaction processes one member, and the others
/// are pending on a list.
extension Simulation {
    var inlineLimit: Int { plan.seed % 7 < 2 ? 1 : MemberList.inlineLimit }

    /// Records the members of a request that is not for everyone, and those that are pending.
    func remember(
        _ declared: SimulationRecord.Declared, of operation: Operation, in generation: SimulationRecord.Generation
    ) throws {
        guard let activity = try operation.activity.flatMap({ try ledger.activity($0) }) else { return }
        try rememberMarked(declared, of: activity.id, in: generation)
        for list in try lists() where list.operation == operation.id {
            record.listed[list.id] = SimulationRecord.Listed(generation: generation, declared: declared)
            if case .scope = list.purpose { try rememberMembers(of: list, declared, in: activity, generation) }
        }
    }

    private func rememberMembers(
        of list: MemberList, _ declared: SimulationRecord.Declared, in activity: Activity,
        _ generation: SimulationRecord.Generation
    ) throws {
        for ordinal in try ledger.pending(of: list, limit: .max) {
            guard let replica = try ledger.replica(Int(ordinal), of: activity.id), replica.isWithinReach,
                declared.isEnd || !replica.knowsNewer(than: declared.asOf, in: activity)
            else { continue }
            record.scoped[generation, default: [:]][replica.ordinal, default: []].append(declared)
        }
    }

    // MARK: PendingStarts

    /// Returns the devices with pending starts in the scope of a request.
    func waiting(
        for request: DeclarationRequest, in activity: Activity
    ) throws -> SimulationRecord.PendingStarts? {
        guard let scope = request.scope, activity.latestAsOf.map({ $0 <= request.asOf ?? $0 }) ?? true else {
            return nil
        }
        let starts = try lists().filter { $0.activity == activity.id && $0.isStart }
        let waiting = Set(try starts.flatMap { try ledger.pending(of: $0, limit: .max) })
        let devices = try ledger.deviceIDs(in: scope, of: app, limit: .max).filter { waiting.contains($0.rawValue) }
        guard !devices.isEmpty else { return nil }
        return SimulationRecord.PendingStarts(
            generation: SimulationRecord.Generation(name: activity.name, number: activity.generation),
            declared: SimulationRecord.Declared(request, version: activity.version + 1), devices: Set(devices),
            lists: Set(starts.map(\.id)))
    }

    /// Records pending starts.
    ///
    /// - Parameter operation: the operation of the declaration.
    func remember(_ pendingStarts: SimulationRecord.PendingStarts, of operation: Operation) throws {
        record.pendingStarts.append(pendingStarts)
        record.note("\(pendingStarts.devices.count) of its scope wait for a place")
        guard fault == .comersPassedOver else { return }
        for list in try lists() where list.operation == operation.id {
            if case .pendingStarts = list.purpose { try forget(list) }
        }
    }

    /// Records a place that a live audience gives a device with a pending start. It replaces the place that the device
    /// waited for.
    func rememberPendingStarts(offered place: Replica, in activity: Activity) throws {
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        for pendingStarts in record.pendingStarts
        where pendingStarts.generation == generation && pendingStarts.devices.contains(place.device) {
            let version = pendingStarts.declared.version
            let lists = try lists().filter { $0.activity == activity.id && $0.version == version && !$0.isStart }
            let isWaiting = try lists.contains {
                try $0.purpose != .scope && ledger.pending(of: $0, limit: .max).contains(place.device.rawValue)
            }
            guard isWaiting, !place.isPlanned(after: version) else { continue }
            record.scoped[generation, default: [:]][place.ordinal, default: []].append(pendingStarts.declared)
        }
    }

    /// Records that declarations for pending starts apply to the places that the devices have now.
    private func rememberPendingStarts(on list: Int64, to places: [Replica], of activity: Activity) {
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        for pendingStarts in record.pendingStarts
        where pendingStarts.generation == generation && pendingStarts.lists.contains(list) {
            for place in places where pendingStarts.devices.contains(place.device) {
                record.scoped[generation, default: [:]][place.ordinal, default: []].append(pendingStarts.declared)
            }
        }
    }

    /// Processes the next members of some list.
    func processMembers() throws {
        try write {
            let lists = try lists()
            guard !lists.isEmpty else { return }
            let list = lists[random.below(lists.count)]
            record.note("tell \(list.version) to those after \(list.processed)")
            if fault == .membersForgotten {
                try forget(list)
            } else {
                let before = try ledger.activity(list.activity)
                try ProcessMembers(Transaction(ledger, at: now))(list.id, limit: inlineLimit)
                if list.isStart, let before {
                    let last = before.nextOrdinal - 1
                    let places = try ledger.replicas(of: before.id, after: last, limit: .max)
                    rememberPendingStarts(on: list.id, to: places, of: before)
                }
            }
            if case .start = list.purpose, let listed = record.listed[list.id] {
                try rememberMarked(listed.declared, of: list.activity, in: listed.generation)
            }
        }
        var isLeft = false
        try read { isLeft = try !lists().isEmpty }
        if isLeft { node.pending.append(.tell) }
    }

    /// Implements the fault `membersForgotten`: the list counts as processed.
    private func forget(_ list: MemberList) throws {
        guard var operation = try ledger.operation(list.operation, in: app),
            var activity = try ledger.activity(list.activity)
        else { return }
        operation.pending -= try ledger.pending(of: list, limit: .max).count
        try ledger.update(operation)
        try ledger.remove(list)
        if !list.isStart { activity.pendingScopes -= 1 }
        activity.wake(at: now)
        try ledger.update(activity)
    }

    private func lists() throws -> [MemberList] { try ledger.memberLists(after: 0, limit: .max) }

    /// Records processed members that are not recorded yet.
    func rememberMarked(
        _ declared: SimulationRecord.Declared, of activity: ActivityID, in generation: SimulationRecord.Generation
    ) throws {
        for replica in try ledger.replicas(of: activity, after: 0, limit: .max)
        where replica.scopedState == declared.version || replica.ending == .declared(version: declared.version) {
            var own = record.scoped[generation]?[replica.ordinal] ?? []
            guard !own.contains(where: { $0.version == declared.version }) else { continue }
            own.append(declared)
            record.scoped[generation, default: [:]][replica.ordinal] = own
        }
    }
}
