import EyotDomain
import EyotStore

/// A PostgreSQL database, opened and migrated to the newest schema.
package struct PostgresDatabase: LedgerDatabase {
    package let url: PostgresURL
    /// What is at the end of its URL.
    let identity: PostgresIdentity
    /// The version of the database's schema. A newer program may have raised it above the program's own.
    package let schema: Int
    /// Whether the server had taken another's place when the database was opened.
    let succession: Succession.Outcome
    /// Whether other programs have copied the rows to here, and no operator has adopted them.
    package let isUnadoptedCopy: Bool
    /// The name under which the server lists this process.
    let application: String
    /// The name of servers and commands.
    static let application = "eyot"
    /// How often a command's transaction is tried.
    private static let attempts = 5

    /// Opens the database, and brings its schema to the version of this program.
    ///
    /// Of several processes that do so at the same time, one migrates, and the others wait for it.
    ///
    /// - Parameters:
    ///   - migrator: The history of the program.
    ///   - report: Receives each step of the schema that is taken, each batch of a step, and each index.
    /// - Throws: ``StoreError`` if the server cannot be used, a commit would not be durable, or the schema is newer,
    ///   foreign or unfinished.
    package init(
        _ url: PostgresURL, application: String = PostgresDatabase.application,
        migrator: SchemaMigrator = .postgres, report: (SchemaProgress) -> Void = { _ in }
    ) throws {
        self.application = application
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        try PostgresServer(on: connection).check()
        let identity = try PostgresIdentity(on: connection.connected())
        var url = url
        url.keepsStatements = url.keepsStatements ?? !identity.isPooled
        (self.url, self.identity) = (url, identity)
        (schema, succession, isUnadoptedCopy) = try Self.migrate(
            connection, isPooled: identity.isPooled, by: migrator, report: report)
    }

    /// What opening the database would do to its schema. Nothing is written.
    ///
    /// - Parameter mayHaveMoved: Whether a database that was moved away is planned for, too.
    /// - Throws: ``StoreError`` if the server cannot be used, or this program does not work with the database.
    package static func plan(_ url: PostgresURL, mayHaveMoved: Bool = false) throws -> SchemaPlan {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        try PostgresServer(on: connection).check()
        return try connection.read(within: .seconds(url.statementSeconds)) { _ in
            if !mayHaveMoved { try MoveMark.requireAbsence(on: connection, .postgres) }
            return SchemaMigrator.postgres.plan(try SchemaCheck.history(on: connection, .postgres))
        }
    }

    /// Whether other programs have copied the database to here, and no operator has adopted it. Nothing is written.
    package static func isUnadoptedCopy(_ url: PostgresURL) throws -> Bool {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        return try connection.read(within: .seconds(url.statementSeconds)) { _ in
            try DatabasePlace.isUnadoptedCopy(on: connection)
        }
    }

    /// Records that the database is used where it is now, whatever programs brought it there.
    package func adopt() throws {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        try connection.connected()
        try DatabasePlace.adopt(on: connection)
    }

    /// Reads in one snapshot.
    package func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        return try connection.read(within: .seconds(url.statementSeconds)) { try body(SQLLedger($0)) }
    }

    /// Writes in one transaction, all or nothing. Another process may write at the same time, so it may run the body
    /// more than once.
    package func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        for attempt in 0..<Self.attempts {
            do {
                return try Self.write(body, on: connection, alone: attempt > 0)
            } catch let error as StoreError where error.isTransient {
                continue
            }
        }
        throw StoreError.conflict("other transactions came in between")
    }

    private static func write<Result>(
        _ body: (any Ledger) throws -> Result, on connection: PostgresConnection, alone isAlone: Bool
    ) throws -> Result {
        try connection.begin(alone: isAlone)
        do {
            let ledger = SQLLedger(connection)
            let result = try body(ledger)
            try ledger.storeCounts()
            try connection.commit()
            return result
        } catch {
            try? connection.rollback()
            throw error
        }
    }

    /// Does nothing, because each transaction here has a connection of its own. A store keeps its connections.
    package func close() {}

    /// The version of the schema that this program reads and writes.
    package static var schemaVersion: Int { Schema.version }
}
