import EyotStore
import GRDB

/// The faults of a database file, and what SQLite's own check claims of it that a read does not show.
///
/// `PRAGMA integrity_check` of SQLite 3.40 claims NULL values in `STRICT` tables `WITHOUT ROWID` with a key in another
/// order than their columns, although there are none. A claim about values is therefore a fault only if a read confirms
/// it. The rows of the table are written to an empty table with the same definition, which refuses what is wrong.
/// Claims about pages and indices count as they are.
struct DatabaseFaults {
    /// The most faults that are listed.
    static let limit = 20
    /// Rows that the second table holds at a time.
    private static let rowsAtATime = 1_000

    private(set) var faults: [String] = []
    /// Claims that a read of the whole table does not confirm, as sentences.
    private(set) var remarks: [String] = []

    /// Reads the whole file, and changes nothing.
    ///
    /// - Throws: SQLite's error if it cannot read on.
    init(of database: Database) throws {
        var claims = ClaimedTables()
        // Without a limit of its own: a claim for each row of one table would hide the faults of the others.
        let messages = try String.fetchCursor(database, sql: "PRAGMA integrity_check(\(Int32.max))")
        while faults.count < Self.limit, let message = try messages.next() {
            if message == "ok" || claims.note(message) { continue }
            faults.append(message)
        }
        for (table, claim) in claims.first.sorted(by: { $0.key < $1.key }) {
            if let refusal = try Self.refusal(ofRowsOf: table, database) {
                faults.append("\(claim) (\(refusal))")
            } else {
                remarks.append(
                    "SQLite's integrity check claims a \(claim). All rows of \(table) were read, and none has this fault."
                )
            }
        }
        let references = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
        while faults.count < Self.limit, let row = try references.next() {
            faults.append("a row of \(row[0] as String? ?? "") refers to nothing")
        }
    }

    /// Writes the rows of a table to an empty one with the same definition.
    ///
    /// - Returns: Why that table refuses a row; nil if it takes all.
    private static func refusal(ofRowsOf table: String, _ database: Database) throws -> String? {
        let name = table.quotedDatabaseIdentifier
        guard
            let definition = try String.fetchOne(
                database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
        else { return "the table is not there" }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let empty = try DatabaseQueue(configuration: configuration)
        defer { try? empty.close() }
        return try empty.write { second in
            try second.execute(sql: definition)
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(name)")
            var insertion: Statement?
            var count = 0
            while let row = try rows.next() {
                let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
                let insert = try insertion ?? second.makeStatement(sql: "INSERT INTO \(name) VALUES (\(places))")
                insertion = insert
                do {
                    try insert.execute(arguments: StatementArguments(row.databaseValues))
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return error.message ?? "a constraint fails"
                }
                count += 1
                if count.isMultiple(of: rowsAtATime) { try second.execute(sql: "DELETE FROM \(name)") }
            }
            return nil
        }
    }
}

/// The tables with values that SQLite's check claims something of, each with its first claim.
private struct ClaimedTables {
    private(set) var first: [String: String] = [:]

    /// Notes a claim about values, such as "NULL value in users.name".
    ///
    /// - Returns: Whether the message is one.
    mutating func note(_ message: String) -> Bool {
        guard let table = Self.table(in: message) else { return false }
        first[table] = first[table] ?? message
        return true
    }

    private static func table(in message: String) -> String? {
        for marker in [" value in ", "CHECK constraint failed in "] {
            guard let range = message.range(of: marker) else { continue }
            let place = message[range.upperBound...]
            return String(place.prefix { $0 != "." })
        }
        return nil
    }
}
