import EyotDomain

/// The members of a request, found when the call came. Later changes do not change them.
package struct FrozenMembers: Sendable, Hashable {
    /// Members in ascending order: those that the call's transaction processes, and the others as they are stored.
    struct Group: Sendable, Hashable {
        var first: [Int64] = []
        var others: [MemberRuns] = []

        init() {}

        init(_ members: [Int64], inlineLimit: Int) {
            first = Array(members.prefix(inlineLimit))
            others = MemberRuns.chunks(of: members.dropFirst(inlineLimit))
        }

        var left: Int { others.reduce(0) { $0 + $1.count } }
        var count: Int { first.count + left }
    }

    /// The audience's devices, by their ids.
    var devices = Group()
    /// The replicas in the scope, by their ordinals.
    var replicas = Group()
    /// Devices in the scope with a pending start from an earlier call. The call's transaction processes none of them.
    var pendingStarts = Group()
    /// The next replica's ordinal when the members were found.
    var nextOrdinal = 1
    /// The generation of the replicas.
    var activity: ActivityID?
    /// The number of changes of person when they were found. See ``PersonChanges``.
    var personNumber: Int
    /// The builds of the members. They are read only for types that have schemas.
    var builds = Builds()
    /// Why an audience or a scope is empty: see ``NamesInAudience/causes(of:)``.
    var causes = Causes()

    /// The first devices of the audience.
    var sample: [DeviceID] { devices.first.prefix(NamesInAudience.sampleSize).map(DeviceID.init(rawValue:)) }

    /// The number of members of the scope.
    var inScope: Int { replicas.count + pendingStarts.count }

    struct Causes: Sendable, Hashable {
        var audience: [String] = []
        var scope: [String] = []
    }

    /// The versions of the app that members have.
    struct Builds: Sendable, Hashable {
        var audience: Set<String> = []
        var scope: Set<String> = []
    }
}

/// The activity has a new generation since the members of a scope were found. They must be found again, outside the
/// transaction.
package struct MembersOutdated: Error {}

/// The search for the members of a request. It only reads, so that a very large audience does not block writers.
package struct FreezeMembers: UseCase {
    package let transaction: Transaction
    let app: AppID
    let limit: Int
    let inlineLimit: Int

    /// - Parameters:
    ///   - limit: The most members.
    ///   - inlineLimit: Members that the call's transaction processes.
    package init(
        _ transaction: Transaction, app: AppID, limit: Int = MemberList.limit,
        inlineLimit: Int = MemberList.inlineLimit
    ) {
        self.transaction = transaction
        self.app = app
        self.limit = limit
        self.inlineLimit = inlineLimit
    }

    /// - Throws: `tooManyMembers`.
    package func callAsFunction(_ request: DeclarationRequest) throws -> FrozenMembers {
        try members(audience: request.audience, scope: request.scope, of: request.name, type: request.type)
    }

    /// - Throws: `tooManyMembers`.
    package func callAsFunction(_ body: DeclarationBody) throws -> FrozenMembers {
        try members(audience: body.audience, scope: body.scope, of: body.name, type: body.type)
    }

    private func members(
        audience: Audience?, scope: Audience?, of name: String, type: String?
    ) throws -> FrozenMembers {
        var frozen = FrozenMembers(personNumber: audience == nil ? 0 : try ledger.personNumber(of: app))
        let resolve = ResolveAudience(transaction, app: app)
        let asked = (audience, scope)
        let (audience, scope) = (try audience.map(resolve.callAsFunction), try scope.map(resolve.callAsFunction))
        let newest = try ledger.newestActivity(named: name, in: app)
        let hasSchemas = try (type ?? newest?.type).map { try ledger.hasSchemas(of: $0, in: app) } ?? false
        if let audience {
            let ids = try ledger.deviceIDs(in: audience, of: app, limit: limit + 1)
            frozen.devices = try group(ids.map(\.rawValue), "audience")
            if hasSchemas { frozen.builds.audience = try ledger.builds(in: audience, of: app) }
        }
        if let scope, let activity = newest {
            (frozen.activity, frozen.nextOrdinal) = (activity.id, activity.nextOrdinal)
            let ordinals = try ledger.ordinals(of: activity.id, in: scope, of: app, limit: limit + 1)
            frozen.replicas = try group(ordinals.map(Int64.init).sorted(), "scope")
            if hasSchemas { frozen.builds.scope = try ledger.builds(of: activity.id, in: scope, of: app) }
            let pendingStarts = try pendingStarts(to: activity.id, in: scope)
            try frozen.add(pendingStarts, limit: limit)
            if hasSchemas {
                try frozen.builds.scope.formUnion(builds(of: pendingStarts, in: scope, but: frozen.builds.scope))
            }
        }
        frozen.causes = try causes(frozen, audience: asked.0, scope: asked.1)
        return frozen
    }

    private func causes(_ frozen: FrozenMembers, audience: Audience?, scope: Audience?) throws -> FrozenMembers.Causes {
        let search = NamesInAudience(transaction: transaction, app: app)
        var causes = FrozenMembers.Causes()
        if let audience, frozen.devices.count == 0 { causes.audience = try search.causes(of: audience) }
        if let scope, frozen.inScope == 0 { causes.scope = try search.causes(of: scope) }
        return causes
    }

    private func group(_ members: [Int64], _ field: String) throws -> FrozenMembers.Group {
        guard members.count <= limit else {
            throw EyotError(.tooManyMembers, "\(field) has more than \(limit) members", field: field)
        }
        return FrozenMembers.Group(members, inlineLimit: inlineLimit)
    }
}

extension DeclarationBody {
    /// Whether it names members. Otherwise it applies to all cards and starts none, so no members must be found.
    package var namesMembers: Bool { self.audience != nil || self.scope != nil }
}
