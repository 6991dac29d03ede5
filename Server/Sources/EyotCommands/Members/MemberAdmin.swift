import EyotDomain

/// Changes of members by an administrator or at the database. One transaction for each.
package struct MemberAdmin: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Adds a member with a grant. A member that exists keeps its password and gets the grant.
    ///
    /// - Parameter hash: See ``MemberGrants/give(_:to:hash:by:)``.
    /// - Returns: The member, and whether it is new.
    package func add(
        _ name: String, _ wanted: MemberGrants.Wanted, hash: SecretHash, by actor: MemberActor
    ) throws -> (member: PanelMember, isNew: Bool) {
        let name = PanelMember.normalized(name)
        let known = try ledger.member(named: name)
        let member = try known ?? insert(name)
        if known == nil {
            try ledger.note(actor.entry("member=\(name) added", of: wanted.app?.id, at: now))
        }
        try MemberGrants(transaction).give(wanted, to: member, hash: hash, by: actor)
        return (member, known == nil)
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
    /// - Parameters:
    ///   - hash: The hash of the link's secret.
    ///   - removesTOTP: Whether the member loses its second factor, because its authenticator is lost.
    package func link(
        _ name: String, _ purpose: MemberLink.Purpose, hash: SecretHash, removesTOTP: Bool = false,
        by actor: MemberActor
    ) throws {
        var member = try member(name, by: actor)
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
