import EyotDomain

private enum Statements {
    static let insertMember = PanelMember.table.insertNew
    static let updateMember = PanelMember.table.update
    static let member = PanelMember.table.select("WHERE r.id = ?1")
    static let memberNamed = PanelMember.table.select("WHERE r.name = ?1")
    static let memberOfAccount = PanelMember.table.select(
        "WHERE r.issuer = ?1 AND r.subject = ?2 AND r.subject IS NOT NULL")
    static let members = PanelMember.table.select("WHERE r.name > ?1 ORDER BY r.name LIMIT ?2")
    static let removeMember = SQLStatement("DELETE FROM panel_members WHERE id = ?1")
    static let removeLinks = SQLStatement("DELETE FROM member_links WHERE member = ?1")
    static let removeSessions = SQLStatement("DELETE FROM member_sessions WHERE member = ?1")

    static let insertGrant = MemberGrant.table.insert
    static let grantsOfMember = MemberGrant.table.select("WHERE r.member = ?1 ORDER BY r.key")
    static let grantsForApp = MemberGrant.table.select("WHERE r.app = ?1 ORDER BY r.key")
    static let ownersGrants = MemberGrant.table.select("WHERE r.app IS NULL ORDER BY r.key")
    static let removeGrant = SQLStatement("DELETE FROM member_grants WHERE key = ?1")

    static let putLink = MemberLink.table.upsert
    static let link = MemberLink.table.select("WHERE r.hash = ?1")
    static let linkOfMember = MemberLink.table.select("WHERE r.member = ?1")
    static let removeLink = SQLStatement("DELETE FROM member_links WHERE hash = ?1")

    static let insertSession = MemberSession.table.insertNew
    static let updateSession = MemberSession.table.update
    static let session = MemberSession.table.select("WHERE r.hash = ?1")
    static let sessions = MemberSession.table.select("WHERE r.member = ?1 ORDER BY r.id")
    static let removeSession = SQLStatement("DELETE FROM member_sessions WHERE id = ?1 AND member = ?2")
    static let endedSessions = SQLStatement(
        """
        DELETE FROM member_sessions WHERE id IN \
        (SELECT id FROM member_sessions WHERE ends_at < ?1 ORDER BY ends_at, id LIMIT ?2)
        """)
    static let expiredLinks = SQLStatement(
        """
        DELETE FROM member_links WHERE member IN \
        (SELECT member FROM member_links WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)
        """)
}

extension SQLLedger {
    package func insert(_ member: PanelMember) throws -> PanelMember {
        var stored = member
        stored.id = MemberID(rawValue: try insertNew(member, Statements.insertMember))
        return stored
    }

    package func update(_ member: PanelMember) throws { try update(member, Statements.updateMember) }

    package func member(_ id: MemberID) throws -> PanelMember? {
        try first(Statements.member, .integer(id.rawValue))
    }

    package func member(named name: String) throws -> PanelMember? {
        try first(Statements.memberNamed, SQLValue(name))
    }

    package func member(of account: ProviderAccount) throws -> PanelMember? {
        try first(Statements.memberOfAccount, SQLValue(account.issuer), SQLValue(account.subject))
    }

    package func members(after name: String, limit: Int) throws -> [PanelMember] {
        try all(Statements.members, SQLValue(name), SQLValue(limit))
    }

    package func removeMember(_ id: MemberID) throws {
        for statement in [Statements.removeLinks, Statements.removeSessions, Statements.removeMember] {
            try connection.queue(statement, [.integer(id.rawValue)])
        }
    }
}

// MARK: - Grants

extension SQLLedger {
    package func insert(_ grant: MemberGrant) throws {
        try connection.queue(Statements.insertGrant, grant.values)
    }

    package func grants(of member: MemberID) throws -> [MemberGrant] {
        try all(Statements.grantsOfMember, .integer(member.rawValue))
    }

    package func grants(for app: AppID?) throws -> [MemberGrant] {
        guard let app else { return try all(Statements.ownersGrants) }
        return try all(Statements.grantsForApp, SQLValue(app))
    }

    package func removeGrant(_ key: Int64) throws {
        try connection.queue(Statements.removeGrant, [.integer(key)])
    }
}

// MARK: - Links and sessions

extension SQLLedger {
    package func put(_ link: MemberLink) throws { try connection.queue(Statements.putLink, link.values) }

    package func link(hash: SecretHash) throws -> MemberLink? { try first(Statements.link, SQLValue(hash)) }

    package func link(of member: MemberID) throws -> MemberLink? {
        try first(Statements.linkOfMember, .integer(member.rawValue))
    }

    package func removeLink(hash: SecretHash) throws -> Bool {
        try connection.execute(Statements.removeLink, [SQLValue(hash)]) == 1
    }

    package func insert(_ session: MemberSession) throws -> MemberSession {
        var stored = session
        stored.id = try insertNew(session, Statements.insertSession)
        return stored
    }

    package func session(hash: SecretHash) throws -> MemberSession? { try first(Statements.session, SQLValue(hash)) }

    package func update(_ session: MemberSession) throws {
        try connection.queue(Statements.updateSession, session.changingValues)
    }

    package func sessions(of member: MemberID) throws -> [MemberSession] {
        try all(Statements.sessions, .integer(member.rawValue))
    }

    package func removeSession(_ id: Int64, of member: MemberID) throws -> Bool {
        try connection.execute(Statements.removeSession, [.integer(id), .integer(member.rawValue)]) == 1
    }

    package func removeEndedSessions(before moment: Instant, limit: Int) throws -> Int {
        let old = [SQLValue(moment), SQLValue(limit)]
        return try connection.execute(Statements.endedSessions, old)
            + connection.execute(Statements.expiredLinks, old)
    }
}
