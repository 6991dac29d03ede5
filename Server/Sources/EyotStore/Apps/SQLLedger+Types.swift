import EyotDomain

private enum Statements {
    /// Reads the index of the builds alone, so schemas themselves are not read.
    static let withSchemas = SQLStatement(
        """
        SELECT type, COUNT(*) FROM type_schemas WHERE app = ?1 AND type > ?2 GROUP BY type ORDER BY type LIMIT ?3
        """)
    static let withProfile = SQLStatement(
        "SELECT type FROM type_profiles WHERE app = ?1 AND type > ?2 ORDER BY type LIMIT ?3")
    static let counted = SQLStatement(
        "SELECT name FROM kept_types WHERE app = ?1 AND name > ?2 ORDER BY name LIMIT ?3")
}

extension SQLLedger {
    package func knownTypes(in app: AppID, after name: String, limit: Int) throws -> [KnownType] {
        let arguments = [SQLValue(app), SQLValue(name), SQLValue(limit)]
        var found: [String: KnownType] = [:]
        for (type, schemas) in try connection.rows(
            Statements.withSchemas, arguments, { (try $0.text(), try $0.integer()) })
        {
            found[type, default: KnownType(type)].schemas = schemas
        }
        for type in try connection.rows(Statements.withProfile, arguments, { try $0.text() }) {
            found[type, default: KnownType(type)].hasProfile = true
        }
        for type in try connection.rows(Statements.counted, arguments, { try $0.text() }) {
            found[type, default: KnownType(type)].isCounted = true
        }
        let sorted = found.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return Array(sorted.prefix(limit))
    }
}
