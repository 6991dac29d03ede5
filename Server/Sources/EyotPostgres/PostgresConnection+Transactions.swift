import EyotStore
import Foundation

private enum Words {
    /// A process that stalls inside a transaction holds locks that all other processes may wait for. After these
    /// milliseconds the server ends its connection, and the transaction runs again when the process goes on.
    static let limitStalls = SQLStatement("SET LOCAL idle_in_transaction_session_timeout = 5000")
    static let snapshot = SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let besideOthers = SQLStatement("LOCK TABLE \(CommitMark.table) IN ROW EXCLUSIVE MODE")
    static let commit = SQLStatement("COMMIT")
    static let rollback = SQLStatement("ROLLBACK")
}

extension PostgresConnection: WritingConnection {
    /// Begins a transaction that the server runs as if it were alone, or refuses as ``StoreError/conflict(_:)``.
    ///
    /// A transaction that is to be alone waits until the others have ended, and others wait for it. The lock comes
    /// first, because the transaction sees what was committed before its first statement that reads. Its first words
    /// travel together with that statement.
    func begin(alone isAlone: Bool) throws {
        try connected()
        try settleSuccession()
        try mark.place(on: self)
        isInsideTransaction = true
        forgetFailure()
        numbers.begin()
        try sendLater(SQLStatement(rules.begin))
        try limitStatements(to: .seconds(url.statementSeconds))
        try limitStalls()
        try sendLater(isAlone ? CommitMark.lock : Words.besideOthers)
        try mark.advance(on: self)
    }

    func commit() throws {
        // The server would commit although a row is missing.
        try settleRows()
        // A body may have caught the error.
        guard !hasMetSuccessor else { throw Self.metSuccessor }
        do {
            isInsideTransaction = false
            let word = try answer(Words.commit, []).word
            // The server answers so to the commit of a transaction that is in error.
            guard word == "COMMIT" else { throw StoreError.failed("the server answered \(word) to a commit") }
            noteCommit()
        } catch StoreError.connectionLost(let detail) where rules.readsMarks {
            guard try hasCommitted(lostBy: detail) else { throw StoreError.connectionLost(detail) }
            noteCommit()
        } catch {
            // The transaction is still open, and in error.
            isInsideTransaction = true
            throw error
        }
    }

    private func noteCommit() {
        mark.noteCommit()
        commits.note(mark)
    }

    /// Lets the server end this transaction if the process stalls in it.
    func limitStalls() throws { try sendLater(Words.limitStalls) }

    /// Finds out whether the transaction was committed, as soon as the database can be reached again.
    private func hasCommitted(lostBy detail: String) throws -> Bool {
        let end = ContinuousClock.now + Self.longestInquiry
        while true {
            do {
                try connected()
                return try mark.isCommitted(on: self)
            } catch {
                close()
                guard ContinuousClock.now < end else { throw StoreError.unknownCommit(detail) }
                usleep(Self.inquiryPause)
            }
        }
    }

    /// For how long the database is asked whether a commit happened, and microseconds between.
    private static let longestInquiry = Duration.seconds(20)
    private static let inquiryPause: UInt32 = 500_000

    func rollback() throws {
        guard isInsideTransaction else { return }
        isInsideTransaction = false
        do {
            // What is queued may fail, because the transaction is in error.
            try? settle()
            try execute(Words.rollback, [])
        } catch StoreError.connectionLost {
            // The server undoes what a lost connection has begun.
        }
    }

    func beginBody() { searchEnd = nil }

    /// Reads in one snapshot, again if the connection or a prepared statement was lost.
    ///
    /// - Parameter time: How long a statement may take.
    func read<Result>(within time: Duration, _ body: (any SQLConnection) throws -> Result) throws -> Result {
        do {
            return try readOnce(within: time, body)
        } catch let error as StoreError where error.isTransient {
            return try readOnce(within: time, body)
        }
    }

    private func readOnce<Result>(
        within time: Duration, _ body: (any SQLConnection) throws -> Result
    ) throws -> Result {
        try connected()
        isInsideTransaction = true
        try sendLater(Words.snapshot)
        try limitStatements(to: time)
        do {
            let result = try body(self)
            isInsideTransaction = false
            try sendLater(Words.commit)
            try settle()
            return result
        } catch {
            try? rollback()
            throw error
        }
    }
}
