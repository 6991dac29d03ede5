import EyotDomain

/// What administrators see and change of members.
extension Members {
    /// A member as administrators see it.
    package struct Row: Sendable {
        package var member: PanelMember
        package var grants: [HeldGrant]
        /// Whether a link waits to be opened.
        package var hasLink: Bool
        /// The sessions that run.
        package var sessions: [MemberSession]
        /// Whether the caller may change the member as a whole, and remove it.
        package var isManaged: Bool
        /// Whether the member may have a password. Otherwise there are no links for it.
        package var mayHavePassword: Bool
    }

    /// The path of all changes, for the audit log.
    private static let route = "/panel/members"

    /// The members with a role in an app, in the order of their names.
    ///
    /// - Throws: ``MemberError`` with `notAllowed` for a caller who does not administrate the app.
    package func rows(of app: App, for caller: ProvenMember) async throws -> [Row] {
        guard caller.administrates(app.id) else { throw MemberGrants.notAllowed }
        return try await rows(for: caller) { ledger in
            try ledger.grants(for: app.id).compactMap { try ledger.member($0.member) }
        }
    }

    /// All members of the server, in the order of their names.
    ///
    /// - Throws: ``MemberError`` with `notAllowed` for a caller who is no owner.
    package func allRows(for caller: ProvenMember) async throws -> [Row] {
        guard caller.isOwner else { throw MemberGrants.notAllowed }
        return try await rows(for: caller) { try $0.members(after: "", limit: PanelMember.limit) }
    }

    private func rows(
        for caller: ProvenMember, _ find: @escaping @Sendable (any Ledger) throws -> [PanelMember]
    ) async throws -> [Row] {
        let (now, actor) = (clock.now, actor(caller, from: SignInOrigin()))
        return try await store.read { [policy] ledger in
            try find(ledger).sorted { $0.name < $1.name }.map { member in
                let link = try ledger.link(of: member.id)
                return Row(
                    member: member, grants: try MemberGrants(Transaction(ledger, at: now)).held(by: member.id),
                    hasLink: link?.isUsable(at: now) ?? false,
                    sessions: try ledger.sessions(of: member.id).filter { $0.isRunning(at: now) },
                    isManaged: actor.covers(member, try ledger.grants(of: member.id)),
                    mayHavePassword: policy.allowsPassword(member))
            }
        }
    }

    /// A link that was made with a grant.
    package struct GrantLink: Sendable {
        package var secret: Secret
        /// Whether the member is new. Otherwise all that it could sign in by has ended.
        package var isNew: Bool
    }

    /// Adds a member with a role, or gives a member that exists the role.
    ///
    /// - Returns: Nil if the member signs in as before, or by a provider.
    package func add(
        _ name: String, _ wanted: MemberGrants.Wanted, by caller: ProvenMember, from origin: SignInOrigin
    ) async throws -> GrantLink? {
        let (hash, link) = (Keyring.make(.apiKey).hash, Keyring.make(.memberLink))
        return try await administrate(caller, origin) { admin, actor in
            let added = try admin.add(name, wanted, hash: hash, by: actor)
            guard added.needsLink else { return nil }
            try admin.link(added.member.name, .password, hash: link.hash, by: actor)
            return GrantLink(secret: link.secret, isNew: added.isNew)
        }
    }

    /// Makes a new link for a member.
    package func link(
        _ name: String, removesTOTP: Bool, by caller: ProvenMember, from origin: SignInOrigin
    ) async throws -> Secret {
        let link = Keyring.make(.memberLink)
        try await administrate(caller, origin) {
            try $0.link(name, .password, hash: link.hash, removesTOTP: removesTOTP, by: $1)
        }
        return link.secret
    }

    /// Takes a member's role in an app, or its ownership without an app.
    package func take(
        from name: String, in app: AppID?, by caller: ProvenMember, from origin: SignInOrigin
    ) async throws {
        try await administrate(caller, origin) { admin, actor in
            let ledger = admin.ledger
            guard let member = try ledger.member(named: PanelMember.normalized(name)),
                let grant = try ledger.grants(of: member.id).first(where: { $0.app == app })
            else { throw MemberError(.memberUnknown, "\(name) has no role there. It may have been taken just now.") }
            try MemberGrants(admin.transaction).take(grant, from: member, by: actor)
        }
    }

    /// What can be done with a member as a whole.
    package enum Measure: String, Sendable, CaseIterable {
        case signOut, disable, enable, remove
    }

    package func apply(
        _ measure: Measure, to name: String, by caller: ProvenMember, from origin: SignInOrigin
    ) async throws {
        try await administrate(caller, origin) { admin, actor in
            switch measure {
            case .signOut: try admin.signOut(name, by: actor)
            case .disable: try admin.setDisabled(true, name, by: actor)
            case .enable: try admin.setDisabled(false, name, by: actor)
            case .remove: try admin.remove(name, by: actor)
            }
        }
    }

    /// Runs a change of an administrator. The transaction reads its session and its grants again.
    private func administrate<Result: Sendable>(
        _ caller: ProvenMember, _ origin: SignInOrigin,
        _ body: @escaping @Sendable (MemberAdmin, MemberActor) throws -> Result
    ) async throws -> Result {
        let (now, actor) = (clock.now, actor(caller, from: origin))
        return try await store.write { [policy] ledger in
            let transaction = Transaction(ledger, at: now)
            try ledger.require(caller)
            var present = actor
            present.member?.grants = try MemberGrants(transaction).held(by: caller.member.id)
            return try body(MemberAdmin(transaction, policy), present)
        }
    }

    private func actor(_ caller: ProvenMember, from origin: SignInOrigin) -> MemberActor {
        MemberActor(caller, method: "POST", route: Self.route, address: origin.address)
    }
}
