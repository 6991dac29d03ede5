import EyotDomain

private enum Statements {
    static let token = SharedToken.table.select("WHERE r.fingerprint = ?1")
    static let put = SharedToken.table.upsert
    static let remove = SQLStatement("DELETE FROM shared_tokens WHERE issued_at < ?1")
}

extension SQLLedger {
    package func sharedToken(of fingerprint: String) throws -> SharedToken? {
        try first(Statements.token, SQLValue(fingerprint))
    }

    package func put(_ token: SharedToken) throws { try connection.queue(Statements.put, token.values) }

    package func removeSharedTokens(issuedBefore moment: Instant) throws {
        try connection.execute(Statements.remove, [SQLValue(moment)])
    }
}

extension SharedToken: SQLRecord {
    static let table = SQLTable(
        "shared_tokens", key: "fingerprint", changing: ["issued_at", "master_key_id", "sealed_token"])

    var values: [SQLValue] {
        [SQLValue(fingerprint), SQLValue(issuedAt), SQLValue(sealed.masterKeyID), SQLValue(sealed.box)]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            fingerprint: try columns.text(), issuedAt: try columns.moment(),
            sealed: SealedSecret(masterKeyID: try columns.text(), box: try columns.bytes()))
    }
}
