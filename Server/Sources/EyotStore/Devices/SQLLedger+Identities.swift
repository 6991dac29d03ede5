import EyotDomain

private enum Statements {
    static let keys = IdentityKey.table.select("WHERE r.app = ?1 ORDER BY r.id")
    static let putKey = IdentityKey.table.upsert
    static let removeKey = SQLStatement("DELETE FROM identity_keys WHERE app = ?1 AND id = ?2")
    static let unprove = SQLStatement(
        """
        UPDATE devices SET proven = 0, proven_by = NULL \
        WHERE app = ?1 AND proven = 1 AND imported = 0 AND (proven_by = ?2 OR proven_by IS NULL)
        """)
    private static let proofs = SQLTable("used_proofs", key: "app", "hash", fixed: ["device", "until"], changing: [])
    static let use = proofs.insertWhereAbsent
    static let user = SQLStatement("SELECT device FROM used_proofs WHERE app = ?1 AND hash = ?2")
    static let removeProofs = proofs.removeOldest(by: "until")
    static let log = NumberedLog<IdentityFailure>()
    static let removeFailures = SQLStatement("DELETE FROM identity_failures WHERE app = ?1 AND user_id = ?2")
}

extension SQLLedger {
    package func identityKeys(of app: AppID) throws -> [IdentityKey] { try all(Statements.keys, SQLValue(app)) }

    package func put(_ key: IdentityKey) throws { try connection.queue(Statements.putKey, key.values) }

    package func removeIdentityKey(_ id: String, of app: AppID) throws -> Bool {
        try connection.execute(Statements.removeKey, [SQLValue(app), SQLValue(id)]) > 0
    }

    package func unprove(by key: String, in app: AppID) throws {
        try connection.queue(Statements.unprove, [SQLValue(app), SQLValue(key)])
    }

    package func use(_ proof: UsedProof, by device: DeviceID, in app: AppID) throws -> Bool {
        let key = [SQLValue(app), SQLValue(proof.hash)]
        try connection.queue(Statements.use, key + [SQLValue(device), SQLValue(proof.until)])
        return try connection.rows(Statements.user, key) { try $0.number() }.first == device.rawValue
    }

    package func removeProofs(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.removeProofs, [SQLValue(moment), SQLValue(limit)])
    }

    package func note(_ failure: IdentityFailure) throws { try Statements.log.insert(failure, on: connection) }

    package func removeIdentityFailures(of user: String, in app: AppID) throws {
        try connection.queue(Statements.removeFailures, [SQLValue(app), SQLValue(user)])
    }

    package func identityFailures(of app: AppID, before number: Int?, limit: Int) throws -> [IdentityFailure] {
        try all(Statements.log.newest, SQLValue(app), SQLValue(number ?? Int.max), SQLValue(limit))
    }
}

extension IdentityKey: SQLRecord {
    static let table = SQLTable("identity_keys", key: "app", "id", changing: ["kind", "pem", "added_at"])

    var values: [SQLValue] {
        [SQLValue(app), SQLValue(id), SQLValue(kind.rawValue), SQLValue(text), SQLValue(addedAt)]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            app: AppID(rawValue: try columns.number()), id: try columns.text(), kind: try columns.word(),
            text: try columns.text(), addedAt: try columns.moment())
    }
}

extension IdentityFailure: SQLRecord {
    static let table = SQLTable(
        "identity_failures", key: "app", "number", fixed: ["device", "user_id", "fault", "refused", "failed_at"],
        changing: [])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(number), SQLValue(device), SQLValue(user), SQLValue(fault.rawValue),
            SQLValue(isRefused), SQLValue(at),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let app = AppID(rawValue: try columns.number())
        let number = try columns.integer()
        self.init(
            app: app, device: DeviceID(rawValue: try columns.number()), user: try columns.text(),
            fault: try columns.word(), isRefused: try columns.flag(), at: try columns.moment())
        self.number = number
    }
}
