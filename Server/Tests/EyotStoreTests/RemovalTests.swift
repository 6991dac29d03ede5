import EyotCommands
import EyotDomain
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite
@testable import EyotStore

/// What an app leaves behind in the tables, whichever there are.
@Suite("Removal of an app", .timeLimit(.minutes(10)))
struct RemovalTests {
    /// Values that a column has to hold so that a row can be read. Further ones are made of the app's number.
    private static let values = [
        "environment": "'sandbox'", "identity_mode": "NULL", "plane": "'eyot'", "scopes": "NULL",
        "sandbox_pause_reason": "NULL", "phase": "'lost'", "attributes": "'{}'",
        "audience": "'\"all\"'", "halted_types": "'{}'", "open_names": "'{}'", "proof_terms": "'{}'",
        "ended_at": "NULL", "removed_at": "NULL",
    ]
    /// Tables of the server, not of its apps.
    private static let common: Set = [
        "schema_steps", "node_leases", "nodes", "limited_sources", "access_changes", "shared_tokens", "panel_members",
        "member_links", "member_sessions", "histories",
    ]

    /// A row of each table for each of two apps.
    private static func fill(_ database: Database) throws -> [String] {
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        .filter { !common.contains($0) }
        for table in tables {
            let columns = try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info('\(table)')")
            for app in 1...2 {
                let row = columns.map { column -> String in
                    let (name, type) = (column["name"] as String, column["type"] as String)
                    return values[name] ?? (type == "TEXT" ? "'\(app)'" : type == "BLOB" ? "x'0\(app)'" : "\(app)")
                }
                try database.execute(sql: "INSERT INTO \(table) VALUES (\(row.joined(separator: ", ")))")
            }
        }
        return tables
    }

    private static func counts(_ tables: [String], _ database: Database) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables { counts[table] = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") }
        return counts
    }

    @Test func `Of no table is anything left that belongs to the app, and the other app keeps its rows`() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { database in
            try Schema.migrate(GRDBConnection(database), dialect: .sqlite)
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            let tables = try Self.fill(database)
            #expect(try Self.counts(tables, database) == Dictionary(uniqueKeysWithValues: tables.map { ($0, 2) }))
            let ledger = SQLLedger(GRDBConnection(database))
            let (app, start) = (AppID(rawValue: 1), Instant(microseconds: 1_700_000_000_000_000))
            try RemoveApp(Transaction(ledger, at: start))(app, leavesCards: true)
            let removed = try #require(try ledger.app(app))
            while try RemoveApp(Transaction(ledger, at: start + RemoveApp.patience)).step(removed) {}
            let left = try Self.counts(tables, database).filter { $0.value != 1 }
            #expect(left == [:])
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").filter { $0["parent"] == "apps" } == [])
        }
    }
}
