import Foundation
import GRDB

@testable import EyotSQLite
@testable import EyotStore

/// A row of each table for each of two apps, which this program can read. A table that a later step makes is filled,
/// too.
enum ReadableRows {
    /// The external id of a person in all rows of the first app that can name one.
    static let person = "person-1"

    /// Values that a column has to hold so that a row can be read, with `#` for the app's number. Further ones are the
    /// number itself.
    private static let values = [
        "environment": "'sandbox'", "identity_mode": "NULL", "plane": "'eyot'", "scopes": "NULL",
        "sandbox_pause_reason": "NULL", "phase": "'lost'", "attributes": "'{}'", "audience": "'\"all\"'",
        "halted_types": "'{}'", "open_names": "'{}'", "proof_terms": "'{}'", "ended_at": "NULL", "removed_at": "NULL",
        "canary": "NULL", "forgotten": "0", "operations.pending": "0", "test_devices.device": "NULL",
        "end_version": "NULL", "tally": "'0 0 0 0 0 0 0 0 0 0 0 0'", "declarations.kind": "'state'",
        "events.kind": "'card.appeared'", "refused_call": "NULL", "events.operation": "NULL",
        "replicas.phase": "'live'", "phase_reason": "NULL", "lease_state": "NULL", "lease_suspicion": "NULL",
        "lease_called_off": "NULL", "token_suspicion": "NULL",
        "token_environment": "'sandbox'", "blocked_reason": "NULL", "declarations.alert": "NULL", "aps": "NULL",
        "start_alert": "NULL", "priority": "NULL", "external_id": "'person-#'", "user_id": "'person-#'",
        "users": "'[\"person-#\"]'", "former_user": "'person-#'",
    ]
    /// Tables of the server, not of its apps.
    private static let common: Set = [
        "schema_steps", "node_leases", "nodes", "limited_sources", "access_changes", "shared_tokens", "panel_members",
        "member_links", "member_sessions", "histories",
    ]

    /// Fills a database without its checks. Its foreign keys must be off.
    ///
    /// - Returns: The tables with rows of apps.
    static func fill(_ database: Database) throws -> [String] {
        try Schema.migrate(GRDBConnection(database), dialect: .sqlite)
        try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        .filter { !common.contains($0) }
        for table in tables {
            let columns = try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info('\(table)')")
            for app in 1...2 {
                let row = columns.map { column -> String in
                    let (name, type) = (column["name"] as String, column["type"] as String)
                    let value = type == "TEXT" ? "'#'" : type == "BLOB" ? "x'0#'" : "#"
                    return (values["\(table).\(name)"] ?? values[name] ?? value).replacingOccurrences(
                        of: "#", with: "\(app)")
                }
                try database.execute(sql: "INSERT INTO \(table) VALUES (\(row.joined(separator: ", ")))")
            }
        }
        return tables
    }

    /// How many rows each table has.
    static func counts(_ tables: [String], _ database: Database) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables { counts[table] = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") }
        return counts
    }

    /// The columns with a text that names the person.
    static func mentions(in tables: [String], _ database: Database) throws -> [String] {
        try tables.flatMap { table in
            try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE type IN ('TEXT', 'BLOB')"
            )
            .filter { column in
                let sql = "SELECT COUNT(*) FROM \(table) WHERE CAST(\(column) AS TEXT) LIKE '%\(person)%'"
                return try Int.fetchOne(database, sql: sql) != 0
            }
            .map { "\(table).\($0)" }
        }
    }
}
