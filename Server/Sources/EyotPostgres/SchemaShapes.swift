import EyotStore

/// What the tables, indices and constraints were after the last step of the schema. So a table that was changed by hand
/// is found at the next start.
enum SchemaShapes {
    static let table = "schema_shapes"
    /// Forgets what was recorded. The next start records it anew.
    static let forget = Statements.clear

    private enum Statements {
        static let all = SQLStatement("SELECT name, definition FROM \(table)")
        static let clear = SQLStatement("DELETE FROM \(table)")
        static let insert = SQLStatement("INSERT INTO \(table) (name, definition) VALUES (?1, ?2)")
        static let found = SQLStatement(SQLDialect.postgres.definitions)
    }

    static let creation: SQLStatement = {
        let columns = ["name", "definition"].map { "\($0) \(SQLDialect.postgres.text) NOT NULL" }
        return SQLStatement(composed: "CREATE TABLE IF NOT EXISTS \(table) (\(columns[0]) PRIMARY KEY, \(columns[1]))")
    }()

    /// Compares the database with what was recorded. Further tables are allowed.
    ///
    /// - Throws: ``StoreError/schemaForeign(_:)``.
    static func check(on connection: PostgresConnection) throws {
        let found = try definitions(Statements.found, on: connection)
        for (name, definition) in try definitions(Statements.all, on: connection).sorted(by: { $0.key < $1.key }) {
            guard let actual = found[name] else { throw StoreError.schemaForeign(.missing(name)) }
            guard actual == definition else { throw StoreError.schemaForeign(.changed(name)) }
        }
    }

    /// Records what the tables are now.
    static func record(on connection: PostgresConnection) throws {
        try connection.sendLater(Statements.clear)
        for (name, definition) in try definitions(Statements.found, on: connection) {
            try connection.sendLater(Statements.insert, [.text(name), .text(definition)])
        }
        try connection.settle()
    }

    static func isRecorded(on connection: PostgresConnection) throws -> Bool {
        try !definitions(Statements.all, on: connection).isEmpty
    }

    private static func definitions(
        _ statement: SQLStatement, on connection: PostgresConnection
    ) throws -> [String: String] {
        let rows = try connection.rows(statement, []) { row in
            let name = try row.text()
            return (name, try row.text())
        }
        return Dictionary(rows) { first, _ in first }
    }
}
