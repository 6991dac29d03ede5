import EyotStore

/// The questions that a start, `eyot migrate --check` and `eyot doctor` ask of a database before anything is changed.
enum SchemaCheck {
    private enum Statements {
        static let hasShapes = SQLStatement(composed: "SELECT to_regclass('\(SchemaShapes.table)') IS NOT NULL")
        /// A table that the user may not read and write whole. The views of `information_schema` hide such tables.
        static let withoutRights = SQLStatement(
            composed: """
                SELECT c.relname FROM pg_class c JOIN \(SchemaShapes.table) s ON s.name = c.relname \
                WHERE c.relnamespace = CAST(current_schema() AS REGNAMESPACE) AND c.relkind = 'r' \
                AND c.relname NOT IN ('schema_steps', '\(SchemaShapes.table)') \
                AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') \
                AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')) \
                ORDER BY c.relname LIMIT 1
                """)
        /// Another schema of this database with tables of Eyot's that this user may use.
        static let elsewhere = SQLStatement(
            composed: """
                SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                WHERE c.relname = '\(CommitMark.table)' AND c.relkind = 'r' AND n.nspname <> current_schema() \
                AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'UPDATE') \
                AND EXISTS (SELECT 1 FROM pg_class s WHERE s.relnamespace = n.oid AND s.relname = 'schema_steps') \
                ORDER BY n.nspname LIMIT 1
                """)
    }

    /// Reads the history of a database that this program works with, and has compared.
    ///
    /// - Throws: ``StoreError``.
    static func history(on connection: PostgresConnection, _ migrator: SchemaMigrator) throws -> SchemaHistory {
        let history = try migrator.history(connection)
        try migrator.check(history)
        if history.version == 0, !connection.url.namesSchema, let other = try name(Statements.elsewhere, connection) {
            throw StoreError.schemaForeign(.otherSchema(other))
        }
        if try connection.rows(Statements.hasShapes, [], { try $0.flag() }).first == true {
            if let table = try name(Statements.withoutRights, connection) {
                throw StoreError.refused(.rights, "it may not read and write all of \(table)")
            }
            try SchemaShapes.check(on: connection)
        }
        return history
    }

    private static func name(_ statement: SQLStatement, _ connection: PostgresConnection) throws -> String? {
        try connection.rows(statement, []) { try $0.text() }.first
    }
}
