import EyotDomain

/// The state of an activity before several declarations in one transaction.
package struct SeriesStart: Sendable, Hashable {
    /// Nil if there was no activity.
    var activity: ActivityID?
    var nextOrdinal = 1
    /// The newest list that was pending.
    var list: Int64 = 0
    /// The devices of a declaration's scope, with cards or without. The transaction finds out which of them have a
    /// pending start by then.
    package var scope: [MemberRuns] = []

    /// - Parameter name: The name of the activity.
    package init(of name: String, in app: AppID, _ ledger: any Ledger) throws {
        guard let newest = try ledger.newestActivity(named: name, in: app) else { return }
        (activity, nextOrdinal) = (newest.id, newest.nextOrdinal)
        list = try ledger.memberLists(of: newest.id, limit: MemberList.listsPerApp).last?.id ?? 0
    }
}

extension FreezeMembers {
    /// Replicas that are read together.
    private static let pageSize = 1_000

    /// Finds the devices of a declaration's scope, so that the transaction only has to compare them with lists.
    package func devices(inScopeOf body: DeclarationBody) throws -> [MemberRuns] {
        guard let scope = body.scope else { return [] }
        let resolved = try ResolveAudience(transaction, app: app)(scope)
        var devices: [MemberRuns] = []
        var page: [DeviceID]
        repeat {
            let last = DeviceID(rawValue: devices.last?.last ?? 0)
            page = try ledger.deviceIDs(in: resolved, of: app, after: last, limit: limit)
            devices += MemberRuns.chunks(of: page.map(\.rawValue))
        } while page.count == limit
        return devices
    }

    /// Adds the members that earlier declarations in the same transaction have brought into a scope: devices with a
    /// place reserved since, or with a start that is pending.
    ///
    /// The added places are few, because a transaction processes few. Other devices that have joined meanwhile belong
    /// too.
    ///
    /// - Parameter former: The members that were found before the transaction.
    /// - Throws: ``MembersOutdated`` if very many have joined, and `tooManyMembers`.
    package func adding(
        since start: SeriesStart, to former: FrozenMembers?, of body: DeclarationBody
    ) throws -> FrozenMembers? {
        guard var frozen = former, let scope = body.scope,
            let activity = try ledger.newestActivity(named: body.name, in: app)
        else { return former }
        let isSame = activity.id == start.activity
        if !isSame {
            (frozen.activity, frozen.replicas, frozen.builds.scope) = (activity.id, .init(), [])
            (frozen.pendingStarts, frozen.nextOrdinal) = (.init(), 1)
        }
        guard frozen.activity == activity.id else { throw MembersOutdated() }
        let first = isSame ? start.nextOrdinal : 1
        guard activity.nextOrdinal - first <= Audience.listLimit else { throw MembersOutdated() }
        let resolved = try ResolveAudience(transaction, app: app)(scope)
        let hasSchemas = try activity.type.map { try ledger.hasSchemas(of: $0, in: app) } ?? false
        var ordinals: Set<Int64> = []
        for after in stride(from: first - 1, to: activity.nextOrdinal - 1, by: Self.pageSize) {
            let page = try ledger.replicas(of: activity.id, after: after, limit: Self.pageSize)
            let members = Audience.and([.devices(page.map(\.device)), resolved])
            let found = try ledger.ordinals(of: activity.id, in: members, of: app, limit: limit + 1)
            // A device may have an older replica beside the new one. It was found before.
            ordinals.formUnion(found.filter { $0 >= first }.map(Int64.init))
            if hasSchemas { try frozen.builds.scope.formUnion(ledger.builds(of: activity.id, in: members, of: app)) }
        }
        try frozen.replicas.append(ordinals.sorted(), limit: limit)
        let pendingStarts = try pendingStarts(to: activity.id, among: start.scope, after: isSame ? start.list : 0)
        try frozen.add(pendingStarts, limit: limit)
        if hasSchemas {
            try frozen.builds.scope.formUnion(builds(of: pendingStarts, in: resolved, but: frozen.builds.scope))
        }
        return frozen
    }
}

extension FrozenMembers.Group {
    /// Appends members that are above all others. Members up to the last one are there already and are skipped.
    fileprivate mutating func append(_ members: [Int64], limit: Int) throws {
        let last = others.last?.last ?? first.last ?? 0
        let new = members.filter { $0 > last }
        guard count + new.count <= limit else {
            throw EyotError(.tooManyMembers, "scope has more than \(limit) members", field: "scope")
        }
        if others.isEmpty { first += new } else { others += MemberRuns.chunks(of: new) }
    }
}
