import EyotDomain

/// Whom a request concerns, found when it came: what changes later does not change that.
package struct FrozenMembers: Sendable, Hashable {
    /// The audience's devices, by their ids.
    var devices: [Int64] = []
    /// The replicas in the scope, by their ordinals.
    var replicas: [Int64] = []
    /// The generation that those are of.
    var activity: ActivityID?
}

/// Finds whom a request concerns. It only reads, so that a very large audience keeps nobody from writing.
package struct FreezeMembers {
    let ledger: any Ledger
    let app: AppID
    let limit: Int

    package init(ledger: any Ledger, app: AppID, limit: Int = MemberList.limit) {
        self.ledger = ledger
        self.app = app
        self.limit = limit
    }

    /// - Throws: `tooManyMembers`.
    package func callAsFunction(_ request: DeclarationRequest) throws -> FrozenMembers {
        try members(audience: request.audience, scope: request.scope, of: request.name)
    }

    /// - Returns: nil where it concerns everyone and starts nobody.
    /// - Throws: `tooManyMembers`.
    package func callAsFunction(_ body: DeclarationBody) throws -> FrozenMembers? {
        guard body.audience != nil || body.scope != nil else { return nil }
        return try members(audience: body.audience, scope: body.scope, of: body.name)
    }

    private func members(audience: Audience?, scope: Audience?, of name: String) throws -> FrozenMembers {
        var frozen = FrozenMembers()
        if let audience {
            frozen.devices = try ledger.deviceIDs(in: audience, of: app, limit: limit + 1).map(\.rawValue)
            try check(frozen.devices, "audience")
        }
        if let scope, let activity = try ledger.newestActivity(named: name, in: app) {
            frozen.activity = activity.id
            frozen.replicas = try ledger.ordinals(of: activity.id, in: scope, of: app, limit: limit + 1)
                .map(Int64.init).sorted()
            try check(frozen.replicas, "scope")
        }
        return frozen
    }

    private func check(_ members: [Int64], _ field: String) throws {
        guard members.count <= limit else {
            throw EyotError(.tooManyMembers, "\(field) has more than \(limit) members", field: field)
        }
    }
}
