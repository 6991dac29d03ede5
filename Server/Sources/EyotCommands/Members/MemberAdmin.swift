import EyotDomain

/// Changes of members by an administrator or at the database. One transaction for each.
package struct MemberAdmin: UseCase {
    /// A member that was added, or that got a grant.
    package struct Added: Sendable {
        package var member: PanelMember
        package var isNew: Bool
        /// Whether the member can sign in by a new link alone.
        package var needsLink: Bool
    }

    package let transaction: Transaction
    private let policy: SignInPolicy

    package init(_ transaction: Transaction) { self.init(transaction, SignInPolicy()) }

    package init(_ transaction: Transaction, _ policy: SignInPolicy) {
        (self.transaction, self.policy) = (transaction, policy)
    }

    /// Adds a member with a grant, or gives a member that exists the grant.
    ///
    /// - Parameter hash: See ``MemberGrants/give(_:to:hash:by:)``.
    package func add(
        _ name: String, _ wanted: MemberGrants.Wanted, hash: SecretHash, by actor: MemberActor
    ) throws -> Added {
        let name = PanelMember.normalized(name)
        let known = try ledger.member(named: name)
        let member = try known ?? insert(name)
        if known == nil {
            try ledger.note(actor.entry("member=\(name) added", of: wanted.app?.id, at: now))
        }
        return try give(wanted, to: member, isNew: known == nil, hash: hash, by: actor)
    }

    /// Gives a member that exists a grant.
    package func grant(
        _ name: String, _ wanted: MemberGrants.Wanted, hash: SecretHash, by actor: MemberActor
    ) throws -> Added {
        guard let member = try ledger.member(named: PanelMember.normalized(name)) else {
            throw MemberError.memberUnknown(name)
        }
        return try give(wanted, to: member, isNew: false, hash: hash, by: actor)
    }

    private func give(
        _ wanted: MemberGrants.Wanted, to member: PanelMember, isNew: Bool, hash: SecretHash, by actor: MemberActor
    ) throws -> Added {
        let given = try MemberGrants(transaction).give(wanted, to: member, hash: hash, by: actor)
        return Added(member: member, isNew: isNew, needsLink: given.needsProof && policy.allowsPassword(member))
    }

    /// Stores a new member without grants.
    func insert(_ name: String) throws -> PanelMember {
        guard PanelMember.allows(name) else {
            throw MemberError(
                .fieldInvalid,
                "A name has 1 to \(PanelMember.nameBytes) bytes: letters, digits, spaces and `\(PanelMember.signs)`.",
                field: "name")
        }
        guard try ledger.members(after: "", limit: PanelMember.limit).count < PanelMember.limit else {
            throw MemberError(.tooMany, "There are \(PanelMember.limit) members already. Remove one first.")
        }
        return try ledger.insert(PanelMember(name: name, createdAt: now))
    }

    /// Makes a link for a member. It replaces the member's former link.
    ///
    /// A member with an account at a provider or a proxy gets no link for a password. Only a command at the database
    /// makes a link that signs in past the account.
    ///
    /// - Parameters:
    ///   - hash: The hash of the link's secret.
    ///   - removesTOTP: Whether the member loses its second factor, because its authenticator is lost.
    package func link(
        _ name: String, _ purpose: MemberLink.Purpose, hash: SecretHash, removesTOTP: Bool = false,
        by actor: MemberActor
    ) throws {
        var member = try member(name, by: actor)
        guard purpose == .password || actor.member == nil else { throw MemberGrants.notAllowed }
        guard purpose == .signIn || policy.allowsPassword(member) else {
            throw MemberError.passwordNotAllowed(member.name)
        }
        try ledger.put(
            MemberLink(
                hash: hash, member: member.id, purpose: purpose, createdAt: now, expiresAt: now + MemberLink.longest))
        if removesTOTP {
            member.totp = nil
            try ledger.update(member)
        }
        try note("member=\(member.name) link=\(purpose.rawValue)\(removesTOTP ? " totp=removed" : "")", by: actor)
    }

    /// Ends all sessions of a member, and withdraws its link.
    ///
    /// - Returns: How many sessions ended.
    @discardableResult
    package func signOut(_ name: String, by actor: MemberActor) throws -> Int {
        let member = try member(name, by: actor)
        let sessions = try endSessions(of: member.id)
        try ledger.withdrawLink(of: member.id)
        try note("member=\(member.name) signedOut=\(sessions)", by: actor)
        return sessions
    }

    /// Disables or enables a member. A disabled member's sessions end.
    package func setDisabled(_ isDisabled: Bool, _ name: String, by actor: MemberActor) throws {
        var member = try member(name, by: actor)
        member.disabledAt = isDisabled ? member.disabledAt ?? now : nil
        try ledger.update(member)
        if isDisabled { _ = try endSessions(of: member.id) }
        try note("member=\(member.name) \(isDisabled ? "disabled" : "enabled")", by: actor)
    }

    /// Removes a member with its grants, sessions and link.
    package func remove(_ name: String, by actor: MemberActor) throws {
        let member = try member(name, by: actor)
        for grant in try ledger.grants(of: member.id) { try MemberGrants(transaction).remove(grant) }
        try ledger.removeMember(member.id)
        try note("member=\(member.name) removed", by: actor)
    }

    /// A member that the actor may do all this with.
    private func member(_ name: String, by actor: MemberActor) throws -> PanelMember {
        guard let member = try ledger.member(named: PanelMember.normalized(name)) else {
            throw MemberError.memberUnknown(name)
        }
        guard actor.covers(member, try ledger.grants(of: member.id)) else { throw MemberGrants.notAllowed }
        return member
    }

    private func endSessions(of member: MemberID) throws -> Int {
        let sessions = try ledger.sessions(of: member)
        for session in sessions { _ = try ledger.removeSession(session.id, of: member) }
        return sessions.count
    }

    private func note(_ subject: String, by actor: MemberActor) throws {
        try ledger.note(actor.entry(subject, at: now))
    }
}
