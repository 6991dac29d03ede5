import EyotDomain

/// A database with today's tables, for commands that do one thing after the other. Stores serve many callers at once.
package protocol LedgerDatabase: Sendable {
    /// The version of the database's schema. A newer program may have raised it above the program's own.
    var schema: Int { get }

    /// Reads in one snapshot.
    func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result

    /// Writes in one transaction, all or nothing.
    func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result

    /// Ends the use of the database. Later transactions fail.
    func close() throws
}

extension LedgerDatabase {
    /// Runs the body and closes the database, also after a failure.
    package func closing<Value>(_ body: (Self) throws -> Value) throws -> Value {
        switch Result(catching: { try body(self) }) {
        case .success(let value):
            try close()
            return value
        case .failure(let error):
            try? close()
            throw error
        }
    }
}

/// A store that a server opens when it starts, and closes when everything else has ended.
package protocol ServedStore: Store {
    /// Asks the database for its time; nil if it has no clock of its own.
    var time: (@Sendable () async throws -> Instant)? { get }
    /// Refuses further writes, finishes the queued ones, and ends the use of the database.
    func close() async throws
}

extension ServedStore {
    package var time: (@Sendable () async throws -> Instant)? { nil }
}
