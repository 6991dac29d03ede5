import EyotDomain

/// The grants of members, each with its key. One transaction for each change.
package struct MemberGrants: UseCase {
    /// A grant to make.
    package struct Wanted: Sendable {
        /// Nil for an owner.
        package var app: App?
        package var role: PanelRole
        package var hasProduction: Bool

        package init(_ role: PanelRole, for app: App?, hasProduction: Bool = false) {
            (self.role, self.app, self.hasProduction) = (role, app, hasProduction)
        }
    }

    /// What a grant did.
    package struct Given: Sendable {
        package var grant: MemberGrant
        /// Whether the member has to prove itself anew, because everything ended by which it could sign in.
        package var needsProof: Bool
    }

    package let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// The grants of a member that are usable now.
    package func held(by member: MemberID) throws -> [HeldGrant] {
        try ledger.grants(of: member).compactMap { grant in
            guard let key = try ledger.apiKey(grant.key), key.isUsable(at: now) else { return nil }
            guard let id = grant.app else { return HeldGrant(grant: grant, key: key, app: nil) }
            guard let app = try ledger.app(id), app.removedAt == nil else { return nil }
            return HeldGrant(grant: grant, key: key, app: app)
        }
    }

    /// Gives a member a role in an app, or in all apps. It replaces the role that the member had there.
    ///
    /// Only an owner gives a role to a member that has one in an app of other administrators. If the grant reaches
    /// further than administrators that could make links for the member, everything ends that they could have left:
    /// password, sessions, second factor and link. What a provider or a proxy proves stays.
    ///
    /// - Parameter hash: The hash of a secret that is forgotten. So no secret opens the key.
    @discardableResult
    package func give(
        _ wanted: Wanted, to member: PanelMember, hash: SecretHash, by actor: MemberActor
    ) throws -> Given {
        guard (wanted.role == .owner) == (wanted.app == nil) else {
            throw MemberError(
                .fieldInvalid, "An owner is one of all apps; each other role needs an app.", field: "role")
        }
        var grant = MemberGrant(key: 0, member: member.id, app: wanted.app?.id, role: wanted.role, grantedAt: now)
        grant.hasProduction = wanted.hasProduction || wanted.role == .owner
        guard actor.covers(grant) else { throw Self.notAllowed }
        let former = try ledger.grants(of: member.id)
        // The administrators of a member cover all its grants. A grant of another app would take it from them.
        guard former.isEmpty || actor.covers(member, former) else { throw Self.worksElsewhere(member.name) }
        if let same = former.first(where: { $0.app == grant.app }) {
            guard actor.member?.id != member.id else { throw Self.notAllowed }
            try remove(same)
        }
        try checkLimits(former, grant.app)
        var key = APIKey(
            app: grant.app, name: member.name, hash: hash, hint: member.name, createdAt: now, plane: .panel)
        key.scopes = wanted.role.scopes
        key.environment = grant.hasProduction ? nil : .sandbox
        grant.key = try ledger.insert(key).id
        try ledger.insert(grant)
        // A link gives all that the member may do, also to an administrator of less who made it before.
        try ledger.withdrawLink(of: member.id)
        let needsProof = grant.exceedsPower(over: former)
        if needsProof { try ledger.endProofs(of: member.id) }
        try note("grant", grant, to: member, by: actor)
        return Given(grant: grant, needsProof: needsProof)
    }

    /// Takes a grant away, and revokes its key.
    package func take(_ grant: MemberGrant, from member: PanelMember, by actor: MemberActor) throws {
        guard actor.covers(grant), actor.member?.id != member.id else { throw Self.notAllowed }
        try remove(grant)
        try note("revoke", grant, to: member, by: actor)
    }

    /// Removes a grant and revokes its key, without a record of its own.
    func remove(_ grant: MemberGrant) throws {
        if var key = try ledger.apiKey(grant.key), key.revokedAt == nil {
            key.revokedAt = now
            try ledger.update(key)
        }
        try ledger.removeGrant(grant.key)
    }

    private func note(
        _ verb: String, _ grant: MemberGrant, to member: PanelMember, by actor: MemberActor
    ) throws {
        let reach = grant.hasProduction ? "production" : "sandbox"
        try ledger.note(
            actor.entry(
                "\(verb)=\(grant.role.rawValue) member=\(member.name) reach=\(reach) key=\(grant.key)", of: grant.app,
                at: now))
    }

    private func checkLimits(_ own: [MemberGrant], _ app: AppID?) throws {
        guard own.count < MemberGrant.limitOfMember, try ledger.grants(for: app).count < MemberGrant.limitOfApp else {
            throw MemberError(
                .tooMany, "There are \(MemberGrant.limitOfApp) grants already. Remove one that nothing needs.")
        }
        // Revoked keys of former grants are kept for a while, because the audit log names them.
        let former = try ledger.apiKeys(of: app).filter { $0.plane == .panel && !$0.isUsable(at: now) }
        for key in former.dropLast(APIKeys.outOfUse - 1) { try ledger.removeAPIKey(key.id) }
    }

    static func worksElsewhere(_ name: String) -> MemberError {
        MemberError(
            .notAllowed, "\(name) has a role that yours does not cover. An owner can give it a role here.",
            field: "name")
    }

    static let notAllowed = MemberError(
        .notAllowed, "Your own grant does not allow this. An owner, or an administrator with the same reach, can.")
}

extension Ledger {
    /// Ends everything by which a member could sign in, except what a provider or a proxy proves.
    func endProofs(of id: MemberID) throws {
        guard var member = try member(id) else { return }
        (member.password, member.totp) = (nil, nil)
        try update(member)
        for session in try sessions(of: id) where ![.provider, .proxy].contains(session.method) {
            _ = try removeSession(session.id, of: id)
        }
        try withdrawLink(of: id)
    }

    /// Withdraws the link that waits for a member, if there is one.
    func withdrawLink(of member: MemberID) throws {
        if let link = try link(of: member) { _ = try removeLink(hash: link.hash) }
    }
}
