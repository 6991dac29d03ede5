import EyotDomain

/// What changes members: a command at the database, or a member at the panel. It is recorded with each change.
package struct MemberActor: Sendable {
    /// The name in the audit log: a member's, or `database`.
    package var name: String
    /// The member; nil for a command at the database, which may do everything.
    package var member: (id: MemberID, grants: [HeldGrant])?
    /// `CLI`, or the method of the call.
    package var method: String
    /// The command, or the path as the route declares it.
    package var route: String
    /// The caller's address; nil if it is unknown.
    package var address: String?

    /// A command that opens the database.
    package static func command(_ words: String) -> MemberActor {
        MemberActor(name: "database", member: nil, method: "CLI", route: words, address: nil)
    }

    /// A signed-in member.
    package init(_ proven: ProvenMember, method: String, route: String, address: String?) {
        self.init(
            name: proven.member.name, member: (proven.member.id, proven.grants), method: method, route: route,
            address: address)
    }

    private init(
        name: String, member: (id: MemberID, grants: [HeldGrant])?, method: String, route: String, address: String?
    ) {
        (self.name, self.member, self.method) = (name, member, method)
        (self.route, self.address) = (route, address)
    }

    /// Whether it may give or take a grant.
    func covers(_ grant: MemberGrant) -> Bool {
        member.map { $0.grants.contains { $0.grant.covers(grant) } } ?? true
    }

    /// Whether it may do as it likes with a member that has these grants. It needs power over each of them, because a
    /// link to the member gives all of them.
    func covers(_ other: PanelMember, _ grants: [MemberGrant]) -> Bool {
        guard let member else { return true }
        if member.grants.contains(where: { $0.grant.role == .owner }) { return true }
        return member.id != other.id && !grants.isEmpty && grants.allSatisfy(covers)
    }

    /// The record of a change.
    ///
    /// - Parameter app: The app that the change is about; nil if it is about none, or about all.
    func entry(_ subject: String, of app: AppID? = nil, status: Int = 200, at now: Instant) -> AuditEntry {
        let key = member?.grants.first { $0.grant.app == app || $0.grant.app == nil }?.key.id
        let cut = String(decoding: subject.utf8.prefix(AuditEntry.subjectBytes), as: UTF8.self)
        return AuditEntry(
            app: app, at: now, key: key ?? 0, hint: name, method: method, route: route, subject: cut, status: status,
            address: address)
    }
}
