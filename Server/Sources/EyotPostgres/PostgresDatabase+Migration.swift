import EyotStore

extension PostgresDatabase {
    /// The lock that one process holds while it migrates. The number stands for Eyot and means nothing else.
    private static let migrationLock: Int64 = 0x4579_6f74
    /// Seconds for which a step waits for a table that others use. All others wait behind it meanwhile.
    private static let lockSeconds = 2
    /// How often a step waits for that long.
    private static let lockAttempts = 5

    /// Brings the database to the version of the program. Each step is a transaction, and each batch of a step's rows.
    ///
    /// Indices are made beside the writes of others, after the steps. A new database gets them with its tables. Behind
    /// a pooler they are part of the steps, because a long statement needs a connection of its own.
    ///
    /// A database that needs nothing is not changed, so its user then needs no right to create tables.
    static func migrate(
        _ connection: PostgresConnection, isPooled: Bool, by migrator: SchemaMigrator,
        report: (SchemaProgress) -> Void
    ) throws -> (schema: Int, succession: Succession.Outcome, isUnadoptedCopy: Bool) {
        var migrator = migrator
        let isNewer = try alone(connection) {
            try MoveMark.requireAbsence(on: connection, .postgres)
            let history = try SchemaCheck.history(on: connection, migrator)
            try creating {
                if try !Bookkeeping.exists(on: connection) {
                    for statement in Bookkeeping.creation { try connection.execute(statement, []) }
                }
                migrator.leavesIndices = history.version > 0 && !isPooled
                try migrator.completeHistory(connection)
            }
            return history.version > migrator.steps.count
        }
        var hasAdvanced = false
        while let progress = try alone(connection, { try creating { try migrator.advance(connection, rows: 5_000) } }) {
            hasAdvanced = true
            report(progress)
        }
        // Also those that another process left out, which opened the new database in the same moment. A newer program
        // may have dropped some.
        if !isPooled, !isNewer {
            try IndexBuilder(connection: connection).make(migrator.indices) { index in
                hasAdvanced = true
                report(SchemaProgress(step: migrator.steps.count, name: "index \(index.name)"))
            }
        }
        return try alone(connection) {
            try EventNumberTable.raise(on: connection)
            let succession = try Succession.settleInside(on: connection)
            if try hasAdvanced || !SchemaShapes.isRecorded(on: connection) {
                try SchemaShapes.record(on: connection)
            }
            let isCopy = try DatabasePlace.settle(on: connection)
            return (try migrator.history(connection).version, succession, isCopy)
        }
    }

    /// Runs statements that make tables, for which the server's user needs further rights.
    private static func creating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch StoreError.refused(.rights, let detail) {
            throw StoreError.refused(.creation, detail)
        }
    }

    /// Runs a transaction that no other process's migration runs beside. It gives up and begins again if another
    /// session keeps a table locked, because calls that need the table wait behind it.
    private static func alone<Result>(_ connection: PostgresConnection, _ body: () throws -> Result) throws -> Result {
        for attempt in 1...lockAttempts {
            do {
                return try aloneOnce(connection, body)
            } catch StoreError.conflict(let detail) {
                guard attempt < lockAttempts else { throw StoreError.schemaLocked(detail) }
            }
        }
        throw StoreError.schemaLocked("")
    }

    private static func aloneOnce<Result>(
        _ connection: PostgresConnection, _ body: () throws -> Result
    ) throws -> Result {
        try connection.connected()
        try connection.execute(SQLStatement("BEGIN"), [])
        do {
            // The time is not limited for which another process migrates.
            for statement in beginning { try connection.sendLater(statement) }
            let result = try body()
            try connection.execute(SQLStatement("COMMIT"), [])
            return result
        } catch {
            _ = try? connection.execute(SQLStatement("ROLLBACK"), [])
            throw error
        }
    }

    private static let beginning = [
        SQLStatement("SELECT pg_advisory_xact_lock(\(migrationLock))"),
        SQLStatement("SET LOCAL lock_timeout = '\(lockSeconds)s'"),
    ]

    /// The statements that bring a database to the version of this program, for people who run them themselves.
    ///
    /// - Returns: One transaction; nothing if the database needs none.
    /// - Throws: ``StoreError`` if the server cannot be used, or this program does not work with the database.
    package static func script(_ url: PostgresURL) throws -> [String] {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        try PostgresServer(on: connection).check()
        return try connection.read(within: .seconds(url.statementSeconds)) { _ in
            try MoveMark.requireAbsence(on: connection, .postgres)
            let history = try SchemaCheck.history(on: connection, .postgres)
            let steps = try SchemaMigrator.postgres.script(after: history)
            guard try !steps.isEmpty || !Bookkeeping.exists(on: connection) else { return [] }
            let before = beginning + Bookkeeping.creation + [SchemaShapes.forget]
            return ["BEGIN"] + before.map(\.text) + steps + ["COMMIT"]
        }
    }
}

/// The tables that Eyot needs on PostgreSQL beside those of its schema.
enum Bookkeeping {
    static let creation =
        [SQLStatement(composed: CommitMark.creation(.postgres))] + ServerRecord.creation
        + [SchemaShapes.creation, DatabasePlace.creation]

    /// Whether they are there. Creating them needs rights even where they are.
    static func exists(on connection: PostgresConnection) throws -> Bool {
        let tables = [CommitMark.table, TransactionNumbers.table, SchemaShapes.table, DatabasePlace.table]
        let found = tables.map { "to_regclass('\($0)') IS NOT NULL" }.joined(separator: " AND ")
        return try connection.rows(SQLStatement(composed: "SELECT \(found)"), []) { try $0.flag() }.first ?? false
    }
}
