import EyotDomain

extension MemberLink: SQLRecord {
    static let table = SQLTable(
        "member_links", key: "member", fixed: ["hash", "purpose", "created_at", "expires_at"], changing: [])

    var values: [SQLValue] {
        [
            .integer(member.rawValue), SQLValue(hash), SQLValue(purpose.rawValue), SQLValue(createdAt),
            SQLValue(expiresAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let member = MemberID(rawValue: try columns.number())
        self.init(
            hash: SecretHash(bytes: try columns.bytes()), member: member, purpose: try columns.word(),
            createdAt: try columns.moment(), expiresAt: try columns.moment())
    }
}

extension MemberSession: SQLRecord {
    static let table = SQLTable(
        "member_sessions", key: "id", fixed: ["member", "hash", "created_at", "method", "address", "browser"],
        changing: ["used_at", "ends_at"])

    var values: [SQLValue] {
        [
            .integer(id), .integer(member.rawValue), SQLValue(hash), SQLValue(createdAt), SQLValue(method.rawValue),
            SQLValue(address), SQLValue(browser), SQLValue(usedAt), SQLValue(endsAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let (id, member) = (try columns.number(), MemberID(rawValue: try columns.number()))
        let (hash, createdAt) = (SecretHash(bytes: try columns.bytes()), try columns.moment())
        self.init(member: member, hash: hash, by: try columns.word(), at: createdAt)
        self.id = id
        (address, browser) = (try columns.optionalText(), try columns.optionalText())
        (usedAt, endsAt) = (try columns.moment(), try columns.moment())
    }
}
