import EyotStore

/// Where Eyot's tables are: what tells a database from a copy of it.
///
/// PostgreSQL gives each database and each table a number. A rename, a promotion of a standby and `pg_upgrade` keep the
/// numbers of the tables, and a rename and a promotion keep all of these. `pg_restore` makes tables with new numbers,
/// and a database made from a template has a number of its own (decision 0042).
struct DatabasePlace: Sendable, Hashable {
    /// The cluster, which is new after `pg_upgrade`.
    var cluster: String
    var database: Int64
    /// The numbers of some tables that no step makes anew. One number alone could be the same by chance in a new
    /// cluster.
    var tables: String

    static let table = "database_place"

    static let creation = SQLStatement(
        composed: """
            CREATE TABLE IF NOT EXISTS \(table) (only_row BIGINT NOT NULL PRIMARY KEY, \
            cluster \(SQLDialect.postgres.text) NOT NULL, database BIGINT NOT NULL, \
            tables \(SQLDialect.postgres.text) NOT NULL)
            """)

    private static let present = """
        CAST((SELECT system_identifier FROM pg_control_system()) AS TEXT), CAST(d.oid AS BIGINT), concat_ws(',', \
        CAST(to_regclass('apps') AS OID), CAST(to_regclass('schema_steps') AS OID), \
        CAST(to_regclass('commit_marks') AS OID)) FROM pg_database d WHERE d.datname = current_database()
        """

    private enum Statements {
        static let hasRecord = SQLStatement(composed: "SELECT to_regclass('\(table)') IS NOT NULL")
        static let found = SQLStatement(composed: "SELECT \(DatabasePlace.present)")
        static let recorded = SQLStatement(composed: "SELECT cluster, database, tables FROM \(table)")
        static let update = SQLStatement(
            composed: """
                INSERT INTO \(table) (only_row, cluster, database, tables) VALUES (1, ?1, ?2, ?3) ON CONFLICT (only_row) \
                DO UPDATE SET cluster = excluded.cluster, database = excluded.database, tables = excluded.tables
                """)
    }

    /// Whether a database that was recorded at this place was brought to another one, by programs that know nothing of
    /// what happened since.
    func isCopied(to other: DatabasePlace) -> Bool {
        tables != other.tables || cluster == other.cluster && database != other.database
    }

    /// Whether the database is a copy that was not adopted. A database without the table keeps no record.
    static func isUnadoptedCopy(on connection: PostgresConnection) throws -> Bool {
        guard try connection.rows(Statements.hasRecord, [], { try $0.flag() }).first == true,
            let recorded = try one(Statements.recorded, on: connection),
            let found = try one(Statements.found, on: connection)
        else { return false }
        return recorded.isCopied(to: found)
    }

    /// Compares the database's record with where it is, and records that unless it is a copy. A database without a
    /// record gets one: it was made by this program, or by one that kept none.
    ///
    /// - Returns: Whether it is a copy that was not adopted.
    static func settle(on connection: PostgresConnection) throws -> Bool {
        let (recorded, found) = (
            try one(Statements.recorded, on: connection), try one(Statements.found, on: connection)
        )
        guard let found, found != recorded else { return false }
        if recorded?.isCopied(to: found) == true { return true }
        try record(found, on: connection)
        return false
    }

    /// Records where the database is now.
    static func adopt(on connection: PostgresConnection) throws {
        guard let found = try one(Statements.found, on: connection) else { return }
        try record(found, on: connection)
    }

    private static func record(_ place: DatabasePlace, on connection: PostgresConnection) throws {
        try connection.execute(
            Statements.update, [.text(place.cluster), .integer(place.database), .text(place.tables)])
    }

    private static func one(_ statement: SQLStatement, on connection: PostgresConnection) throws -> DatabasePlace? {
        try connection.rows(statement, []) { row in
            DatabasePlace(cluster: try row.text(), database: try row.number(), tables: try row.text())
        }.first
    }
}
