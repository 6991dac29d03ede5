import EyotDomain

/// The processing of the next members of a list: it applies the declaration to them. One transaction, with few rows.
package struct ProcessMembers: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Parameters:
    ///   - id: The list. A list that is gone was processed completely by another transaction.
    ///   - limit: How many members are processed one by one. Nil stands for what a short transaction can do.
    /// - Returns: Whether it was the list's turn. False if other lists must be processed before.
    @discardableResult
    package func callAsFunction(_ id: Int64, limit: Int? = nil) throws -> Bool {
        guard var list = try ledger.memberLists(after: id - 1, limit: 1).first, list.id == id else { return true }
        guard var activity = try ledger.activity(list.activity),
            var operation = try ledger.operation(list.operation, in: list.app)
        else {
            try ledger.remove(list)
            return true
        }
        let former = operation.skipped
        let isConcerned = concerns(list, activity)
        let next = isConcerned ? try ledger.pending(of: list, limit: limit ?? usualLimit(of: list)) : []
        let members = try ready(next, of: list)
        // No member on the list is ready, because other lists must be processed before.
        if members.isEmpty, !next.isEmpty { return false }
        let processed = try process(
            members, of: list, in: &activity, &operation, asking: limit ?? MemberList.inlineLimit)
        operation.pending -= processed
        list.processed = members.prefix(processed).last ?? list.processed
        if isConcerned, try !ledger.pending(of: list, limit: 1).isEmpty {
            try ledger.update(list)
        } else {
            abandon(list, &operation, in: activity)
            if !list.isStart { activity.pendingScopes -= 1 }
            try ledger.remove(list)
        }
        try ledger.update(operation)
        ledger.count(skipped: operation.skipped, since: former, of: list.app)
        // The activity wakes even if no member changed, because the operation may be complete with the last member.
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
        return true
    }

    private func usualLimit(of list: MemberList) -> Int {
        list.isStart ? MemberList.plannedInlineLimit : MemberList.inlineLimit
    }

    /// Whether the list still applies. An ended activity starts no cards.
    private func concerns(_ list: MemberList, _ activity: Activity) -> Bool { !list.isStart || !activity.isEnded }

    /// The members of a list that need not wait for other lists. Lists of devices have the same order, so they are
    /// processed in parallel.
    private func ready(_ members: [Int64], of list: MemberList) throws -> [Int64] {
        guard case .pendingStarts = list.purpose, !members.isEmpty else { return members }
        let others = try ledger.memberLists(of: list.activity, limit: MemberList.listsPerApp)
        guard let bound = others.filter(list.waits(for:)).map(\.processed).min() else { return members }
        return Array(members.prefix { $0 <= bound })
    }

    /// Counts the pending starts as overtaken by the end.
    private func abandon(_ list: MemberList, _ operation: inout Operation, in activity: Activity) {
        guard list.isStart, operation.pending > 0 else { return }
        operation.skipped[.overtakenByEnd, default: 0] += operation.pending
        ledger.count(
            .skipped, StartFailure.overtakenByEnd.rawValue, times: operation.pending,
            in: transaction.counts(of: activity.id, in: activity.app))
        operation.pending = 0
    }

    /// Processes some members in their order, and counts the results.
    ///
    /// - Parameter limit: How many devices of a start may be checked one by one.
    /// - Returns: How many of the first members were processed.
    func process(
        _ members: [Int64], of list: MemberList, in activity: inout Activity, _ operation: inout Operation,
        asking limit: Int = .max
    ) throws -> Int {
        switch list.purpose {
        case .start(let terms):
            guard let type = activity.type else { return members.count }
            let keep = ReserveStart(
                transaction: transaction, terms: terms, type: type, profile: try ProfileReader(ledger)(of: activity),
                acceptedAt: list.acceptedAt, personNumber: list.personNumber)
            return try PlanStarts(ledger: ledger, keep: keep, limit: limit)(members, in: &activity, &operation)
        case .scope:
            guard let declaration = try ledger.declaration(list.version, of: list.activity) else {
                return members.count
            }
            var mark = MemberMark(ledger, declaration, in: activity)
            for member in members where try !apply(&mark, to: Int(member), in: activity) { operation.members? -= 1 }
            return members.count
        case .pendingStarts(let first):
            guard let declaration = try ledger.declaration(list.version, of: list.activity) else {
                return members.count
            }
            var mark = MemberMark(ledger, declaration, in: activity)
            for member in members.map(DeviceID.init(rawValue:))
            where try !apply(&mark, toPlacesOf: member, from: first, in: activity) {
                operation.members? -= 1
            }
            return members.count
        }
    }

    /// Marks the places that earlier starts have reserved for a device since a declaration was accepted.
    ///
    /// - Returns: Whether the declaration applies to one of them.
    private func apply(
        _ mark: inout MemberMark, toPlacesOf device: DeviceID, from first: Int, in activity: Activity
    ) throws -> Bool {
        let version = mark.declaration.version
        let places = try ledger.replicas(of: device, named: activity.name, in: activity.app).filter {
            $0.activity == activity.id && $0.ordinal >= first && $0.startsAt != nil && !$0.isPlanned(after: version)
        }
        var isForSome = false
        for place in places where try apply(&mark, to: place.ordinal, in: activity) { isForSome = true }
        return isForSome
    }

    /// Marks a replica of a list, and the cards that have taken its name on the phone meanwhile. Those inherit its
    /// declarations, even if the replica is gone by now.
    ///
    /// - Returns: Whether the declaration applies to one of them. They may have ended since, or know something newer.
    private func apply(_ mark: inout MemberMark, to ordinal: Int, in activity: Activity) throws -> Bool {
        guard let member = try ledger.replica(ordinal, of: activity.id) else { return false }
        var concerned = [member]
        if member.ending == .replaced && mark.declaration.kind == .state || member.hasLostStart {
            let others = try ledger.replicas(of: member.device, named: activity.name, in: activity.app)
                .filter { $0.activity == activity.id }
            // The further start of a lost one may have got its place since the members were found.
            concerned +=
                member.hasLostStart
                ? others.filter { $0.isRestart && $0.phase == .starting } : member.heirs(among: others)
        }
        var isForSome = false
        for former in concerned where mark.reaches(former, in: activity, at: now) {
            var replica = former
            try mark.apply(to: &replica, in: activity)
            if replica != former { try transaction.update(replica, from: former, in: activity.app) }
            isForSome = true
        }
        return isForSome
    }
}
