import EyotDomain
import EyotStore
import EyotTestKit
import GRDB

@testable import EyotSQLite

/// A store with the fault that the suite has to find: it reads in one transaction and writes in a later one.
final class RacyStore: WrappedStore {
    private let database: SQLiteDatabase
    let base: SQLiteStore
    private let start = Meeting()

    init(_ database: SQLiteDatabase) {
        self.database = database
        base = SQLiteStore(database)
    }

    /// What it writes later goes past its base.
    var accessVersion: Int? { nil }

    func write<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        let (result, later): (Result, [DeferringConnection.Write])
        do {
            (result, later) = try await database.writer.read { database in
                let connection = DeferringConnection(GRDBConnection(database))
                return (try body(SQLLedger(connection)), connection.later)
            }
        } catch {
            // It needs an id from the database: that cannot be put off.
            return try await base.write(body)
        }
        await start.arrive()
        try await database.writer.write { database in
            for write in later { _ = try GRDBConnection(database).execute(write.statement, write.arguments) }
        }
        return result
    }
}

/// Makes the first two wait for each other, so that the fault shows at once and always.
private actor Meeting {
    private var first: CheckedContinuation<Void, Never>?
    private var isOver = false

    func arrive() async {
        guard !isOver else { return }
        if let first {
            isOver = true
            return first.resume()
        }
        await withCheckedContinuation { first = $0 }
    }
}

/// Reads at once, and keeps writes for later.
private final class DeferringConnection: SQLConnection {
    struct Write: Sendable {
        var statement: SQLStatement
        var arguments: [SQLValue]
    }

    private let base: GRDBConnection
    private(set) var later: [Write] = []

    init(_ base: GRDBConnection) { self.base = base }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws {
        try base.forEachRow(statement, arguments, body)
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        try base.forEachRow(statement, arguments, numbers: numbers, body)
    }

    var eventNumbers: EventNumbers { base.eventNumbers }

    func search(_ body: () throws -> Void) throws { try body() }

    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) -> Int {
        later.append(Write(statement: statement, arguments: arguments))
        return 1
    }
}
