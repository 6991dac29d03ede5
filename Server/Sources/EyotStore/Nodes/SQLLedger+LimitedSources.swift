import EyotDomain

private enum Statements {
    static let fullAt = SQLStatement("SELECT full_at FROM limited_sources WHERE limit_name = ?1 AND source = ?2")
    static let put = SQLStatement(
        """
        INSERT INTO limited_sources (limit_name, source, full_at) VALUES (?1, ?2, ?3) \
        ON CONFLICT (limit_name, source) DO UPDATE SET full_at = excluded.full_at
        """)
    static let remove = SQLStatement(
        """
        DELETE FROM limited_sources WHERE (limit_name, source) IN \
        (SELECT limit_name, source FROM limited_sources WHERE full_at < ?1 ORDER BY full_at LIMIT ?2)
        """)
}

extension SQLLedger {
    package func fullAt(_ source: LimitedSource) throws -> Instant? {
        try connection.rows(Statements.fullAt, source.values) { try $0.moment() }.first
    }

    package func put(fullAt: Instant, of source: LimitedSource) throws {
        try connection.queue(Statements.put, source.values + [SQLValue(fullAt)])
    }

    package func removeSources(fullBefore moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.remove, [SQLValue(moment), SQLValue(limit)])
    }
}

extension LimitedSource {
    fileprivate var values: [SQLValue] { [SQLValue(limit.rawValue), SQLValue(source)] }
}
