import EyotDomain
import EyotStore

/// A database of PostgreSQL, as one side of a move.
package final class PostgresMoveSide: MoveSide {
    /// The name under which the server lists the move.
    private static let application = "eyot database"
    /// How long the lock waits for transactions that are under way, in milliseconds.
    private static let lockMilliseconds = 10_000

    private enum Statements {
        static let begin = SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ")
        static let waitForLock = SQLStatement("SET LOCAL lock_timeout = \(lockMilliseconds)")
        /// Large tables take their time.
        static let patience = ["lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"].map {
            SQLStatement("SET LOCAL \($0) = 0")
        }
        static let commit = SQLStatement("COMMIT")
        static let rollback = SQLStatement("ROLLBACK")
        /// The leases of nodes. An end further ahead comes from a clock that was wrong.
        static let leases = SQLStatement(
            "SELECT MAX(ends_at) FROM node_leases WHERE owner IS NOT NULL AND ends_at > ?1 AND ends_at <= ?2")
    }

    private let postgres: PostgresConnection

    package var dialect: SQLDialect { .postgres }
    package var connection: any SQLConnection { postgres }

    private init(_ url: PostgresURL) {
        postgres = PostgresConnection(url, application: Self.application)
    }

    /// Runs the body in one transaction, and undoes it unless the body commits. No server writes meanwhile.
    ///
    /// - Parameters:
    ///   - isNew: Whether the database gets today's tables first.
    ///   - now: The present moment, which leases of servers are compared with.
    /// - Throws: ``StoreError``, also ``StoreError/inUseBy(_:)`` if a server uses the database; and the errors of the
    ///   body.
    package static func run<Result>(
        _ url: PostgresURL, isNew: Bool = false, at now: Instant, _ body: (PostgresMoveSide) throws -> Result
    ) throws -> Result {
        let side = PostgresMoveSide(url)
        defer { side.postgres.close() }
        try PostgresServer(on: side.postgres).check()
        try ServerSessions.requireNone(beside: side.postgres)
        if isNew { _ = try PostgresDatabase(url, application: application) }
        try side.begin()
        do {
            try side.requireNoLease(at: now)
            let result = try body(side)
            if side.postgres.isInsideTransaction { try side.rollback() }
            return result
        } catch {
            // A connection that is lost, or in the middle of a COPY, is undone by the server.
            try? side.rollback()
            throw error
        }
    }

    private func begin() throws {
        postgres.numbers.begin()
        postgres.isInsideTransaction = true
        try postgres.sendLater(Statements.begin)
        try postgres.sendLater(Statements.waitForLock)
        do {
            try postgres.execute(CommitMark.lock, [])
        } catch StoreError.conflict {
            throw StoreError.inUseBy("a transaction that lasts longer than \(Self.lockMilliseconds / 1_000) seconds")
        }
        for statement in Statements.patience { try postgres.sendLater(statement) }
        try SchemaShapes.check(on: postgres)
    }

    package func commit() throws {
        postgres.isInsideTransaction = false
        try postgres.execute(Statements.commit, [])
    }

    private func rollback() throws {
        postgres.isInsideTransaction = false
        try postgres.execute(Statements.rollback, [])
    }

    // MARK: Servers

    private func requireNoLease(at now: Instant) throws {
        let last = now + NodeLease.longestLead
        let ends = try postgres.rows(
            Statements.leases, [.integer(now.microseconds), .integer(last.microseconds)]
        ) { try $0.optionalNumber() }
        guard case let microseconds?? = ends.first else { return }
        let seconds = Int(Instant(microseconds: microseconds).seconds(since: now)) + 1
        throw StoreError.inUseBy("the lease of a server that was not stopped; it ends in \(seconds) seconds")
    }

    // MARK: Rows

    package func forEachRow(of table: MovedTable, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var rows = CopiedRows(columns: table.columns.count)
        do {
            try postgres.connected().copyOut("COPY (\(table.selection)) TO STDOUT (FORMAT binary)") { piece in
                try rows.consume(piece, body)
            }
        } catch let refusal as CopyRefusal {
            throw refusal.error
        } catch {
            // The rest of the rows is still under way.
            postgres.close()
            throw error
        }
        guard rows.isComplete else { throw StoreError.failed("the rows of \(table.name) have no end") }
    }

    package func insert(_ rows: RowBatch, into table: MovedTable) throws {
        do {
            try rows.bytes.withUnsafeBytes { bytes in
                try CopiedRows.head.withUnsafeBytes { head in
                    try CopiedRows.end.withUnsafeBytes { end in
                        try postgres.connected().copyIn(
                            "COPY \(table.name) (\(table.columnNames)) FROM STDIN (FORMAT binary)", [head, bytes, end])
                    }
                }
            }
        } catch let refusal as CopyRefusal {
            guard let row = refusal.row, (1...rows.count).contains(row), !refusal.error.isTransient else {
                throw refusal.error
            }
            throw StoreError.rowRefused(
                table: table.name, key: rows.withRow(row - 1, table.key(of:)), reason: refusal.message)
        }
    }

    // MARK: Numbers

    package func highestNumber(of table: MovedTable) throws -> Int64 {
        guard let sequence = try sequence(of: table) else { return 0 }
        let numbers = try postgres.rows(
            SQLStatement(
                composed: """
                    SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END, \
                    (SELECT COALESCE(MAX(\(table.key[0])), 0) FROM \(table.name)) FROM \(sequence) s
                    """), []
        ) { row in max(try row.number(), try row.number()) }
        let counted = numbers.first ?? 0
        return TransactionNumbers.numberedTables.contains(table.name)
            ? max(counted, try EventNumberTable.unreached(on: postgres)) : counted
    }

    package func count(above number: Int64, in table: MovedTable) throws {
        guard number > 0, let sequence = try sequence(of: table) else { return }
        _ = try postgres.rows(
            SQLStatement("SELECT setval(CAST(?1 AS REGCLASS), ?2)"), [.text(sequence), .integer(number)]
        ) { try $0.number() }
        if TransactionNumbers.numberedTables.contains(table.name) {
            try EventNumberTable.raise(above: number, on: postgres)
        }
    }

    package func raiseDrawnNumbers(of table: MovedTable) throws {
        guard AppLog.allCases.contains(where: { $0.table == table.name }) else { return }
        _ = try postgres.rows(
            SQLStatement(
                composed: """
                    SELECT setval(pg_get_serial_sequence('\(table.name)', 'number'), MAX(number)) FROM \(table.name) \
                    HAVING MAX(number) > 0
                    """), []
        ) { try $0.number() }
    }

    /// The sequence of a counted table's key.
    private func sequence(of table: MovedTable) throws -> String? {
        guard table.isCounted else { return nil }
        return try postgres.rows(
            SQLStatement("SELECT pg_get_serial_sequence(?1, ?2)"), [.text(table.name), .text(table.key[0])]
        ) { try $0.text() }.first
    }
}
