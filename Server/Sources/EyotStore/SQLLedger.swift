import EyotDomain

/// The ledger in SQL, one for each transaction.
///
/// Its extensions have a file for each kind of row, with the statements at the top.
package final class SQLLedger: Ledger {
    package var woken: Set<ActivityID> = []
    package var occurrences: [Occurrence: Int] = [:]
    package var traced: [TracedOperation] = []
    package var counted = CountChanges()
    /// Whether this transaction has changed a key or an app.
    package internal(set) var changesAccess = false
    let connection: any SQLConnection
    /// Pages of the ring that this transaction has marked as changed, and that were not read since.
    var changedPages: Set<ChangedPage> = []

    /// The activity that this transaction has last read or stored. A change of it names only the columns that may have
    /// changed.
    var knownActivity: Activity?

    /// What the bodies of this commit have read; nil outside of a commit.
    let memory: CommitMemory?

    /// Builds that this transaction has noted.
    var notedBuilds: Set<ActivityBuild> = []

    /// Names that this transaction has made the backend's own, or has found to be.
    var notedNames: Set<AppName> = []

    struct AppName: Hashable {
        var app: AppID
        var name: TraitName
    }

    struct ActivityBuild: Hashable {
        var activity: ActivityID
        var build: String
    }

    struct ChangedPage: Hashable {
        var activity: ActivityID
        var number: Int
    }

    package convenience init(_ connection: any SQLConnection) { self.init(connection, remembering: nil) }

    init(_ connection: any SQLConnection, remembering memory: CommitMemory?) {
        (self.connection, self.memory) = (connection, memory)
    }

    /// The first row of a result, as a value of the domain; nil if there is none.
    func first<Record: SQLRecord>(_ statement: SQLStatement, _ arguments: SQLValue...) throws -> Record? {
        var found: Record?
        try connection.forEachRow(statement, arguments) { row in
            if found == nil { found = try Record(columns: &row) }
        }
        return found
    }

    /// All rows of a result, as values of the domain.
    func all<Record: SQLRecord>(_ statement: SQLStatement, _ arguments: SQLValue...) throws -> [Record] {
        try connection.rows(statement, arguments, Record.init(columns:))
    }

    /// Stores a row under a key that the database chooses.
    ///
    /// - Returns: The key.
    func insertNew<Record: SQLRecord>(_ record: Record, _ statement: SQLStatement) throws -> Int64 {
        let keys = try connection.rows(statement, Array(record.values.dropFirst())) { try $0.number() }
        guard let key = keys.first else { throw StoreError.rowMissing(table: Record.table.name) }
        return key
    }

    /// Changes a row, which must exist.
    ///
    /// - Parameter further: The parameters of the statement after the record's own values.
    func update<Record: SQLRecord>(_ record: Record, _ statement: SQLStatement, _ further: SQLValue...) throws {
        var values = record.changingValues
        values += further
        try changeRow(of: Record.table, statement, values)
    }

    /// Runs a statement that changes one row, which must exist.
    func changeRow(of table: SQLTable, _ statement: SQLStatement, _ values: [SQLValue]) throws {
        try connection.queue(statement, values, changingRowOf: table.name)
    }
}
