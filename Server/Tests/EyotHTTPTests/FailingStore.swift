import EyotDomain
import EyotSQLite
import EyotTestKit
import Synchronization

@testable import EyotStore

/// An outage that begins in the middle of a transaction.
final class Outage: Sendable {
    private struct State {
        /// How many statements still work; nil for all.
        var left: Int?
        var hasStruck = false
    }

    private let state = Mutex(State())

    /// Lets all statements fail after this many more.
    func begin(afterStatements count: Int) { state.withLock { $0 = State(left: count) } }

    /// Ends it.
    ///
    /// - Returns: Whether a statement failed.
    func end() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasStruck
        }
    }

    fileprivate func admitStatement() throws {
        try state.withLock { state in
            guard let left = state.left else { return }
            state.left = max(0, left - 1)
            guard left == 0 else { return }
            state.hasStruck = true
            throw DatabaseIsGone()
        }
    }
}

/// What a statement throws in an outage. A transaction that does not let it through hides conflicts, too, which the
/// store would have repeated.
private struct DatabaseIsGone: Error {}

/// A store with a database that fails in the middle of transactions.
struct FailingStore: WrappedStore {
    let base: SQLiteStore
    let outage: Outage

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await asOfAStore { try await base.read(failing(body)) }
    }

    func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await asOfAStore { try await base.search(of: app, for: purpose, failing(body)) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await asOfAStore { try await base.write(failing(body)) }
    }

    /// The store's own word for it, as long as nothing inside the transaction has made it another one.
    private func asOfAStore<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch is DatabaseIsGone {
            throw EyotError.databaseOutage
        }
    }

    private func failing<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) -> @Sendable (any Ledger) throws -> Result {
        { [outage] ledger in
            guard let ledger = ledger as? SQLLedger else { return try body(ledger) }
            let failing = SQLLedger(FailingConnection(ledger.connection, outage))
            let result = try body(failing)
            (ledger.woken, ledger.occurrences, ledger.traced) = (failing.woken, failing.occurrences, failing.traced)
            (ledger.counted, ledger.changesAccess) = (failing.counted, failing.changesAccess)
            return result
        }
    }
}

private final class FailingConnection: SQLConnection {
    private let base: any SQLConnection
    private let outage: Outage

    init(_ base: any SQLConnection, _ outage: Outage) { (self.base, self.outage) = (base, outage) }

    var eventNumbers: EventNumbers { base.eventNumbers }
    var writerName: String? { base.writerName }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws {
        try outage.admitStatement()
        try base.forEachRow(statement, arguments, body)
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        try outage.admitStatement()
        try base.forEachRow(statement, arguments, numbers: numbers, body)
    }

    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        try outage.admitStatement()
        return try base.execute(statement, arguments)
    }

    func search(_ body: () throws -> Void) throws { try base.search(body) }
}
