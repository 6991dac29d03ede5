import EyotDomain

private enum Statements {
    static let joinSecret = KeptJoinSecret.table.select("WHERE r.activity = ?1")
    static let put = KeptJoinSecret.table.upsert
    static let remove = SQLStatement("DELETE FROM join_secrets WHERE activity = ?1")
}

extension SQLLedger {
    package func joinSecret(of activity: ActivityID) throws -> KeptJoinSecret? {
        try first(Statements.joinSecret, SQLValue(activity))
    }

    package func put(_ secret: KeptJoinSecret) throws { try connection.queue(Statements.put, secret.values) }

    package func removeJoinSecret(of activity: ActivityID) throws -> Bool {
        try connection.execute(Statements.remove, [SQLValue(activity)]) == 1
    }
}

extension KeptJoinSecret: SQLRecord {
    static let table = SQLTable("join_secrets", key: "activity", changing: ["hash", "hint", "made_at"])

    var values: [SQLValue] { [SQLValue(activity), SQLValue(hash), SQLValue(hint), SQLValue(madeAt)] }

    init(columns: inout SQLColumns) throws {
        self.init(
            activity: ActivityID(rawValue: try columns.number()), hash: SecretHash(bytes: try columns.bytes()),
            hint: try columns.text(), madeAt: try columns.moment())
    }
}
