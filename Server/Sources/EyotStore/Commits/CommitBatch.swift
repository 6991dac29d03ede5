import EyotDomain

/// The writes of one commit, and the answers to their callers.
struct CommitBatch {
    var answers: [@Sendable () -> Void] = []
    var written: [QueuedWrite] = []
    var refused: [(QueuedWrite, any Error)] = []
    var woken: Set<ActivityID> = []
    var occurrences: [Occurrence: Int] = [:]
    var traced: [TracedOperation] = []
    var seconds = 0.0
    /// What the writes add to kept numbers. Each number is written once for all of them.
    var counted = CountChanges()
    var changesAccess = false
    private let memory = CommitMemory()
    /// Whether a body with a savepoint threw after it had written.
    var metError = false
    var count: Int { written.count + refused.count }

    /// Whether the database refused a row of one of the bodies.
    var metConstraint: Bool {
        refused.contains { if case .constraint = $0.1 as? StoreError { true } else { false } }
    }

    var report: CommitReport {
        CommitReport(writes: written.count, seconds: seconds, occurrences: occurrences, traced: traced)
    }

    private enum Savepoint {
        static let begin = SQLStatement("SAVEPOINT body")
        static let undo = SQLStatement("ROLLBACK TO body")
        static let end = SQLStatement("RELEASE body")
    }

    /// Runs one body.
    ///
    /// - Parameter isCareful: Whether the body gets a savepoint. A write that is to be undone always gets one.
    /// - Returns: Whether the transaction can go on. Otherwise the body threw after it had written, without a savepoint
    ///   to undo its changes.
    /// - Throws: The error, if the database has ended the whole transaction, it is in conflict with another, or the
    ///   statement of another body may have failed. Other errors of the body go to its caller.
    mutating func run(
        _ write: QueuedWrite, on connection: any WritingConnection, carefully isCareful: Bool
    ) throws -> Bool {
        let ledger = SQLLedger(connection, remembering: memory)
        connection.beginBody()
        var changes = connection.changes
        defer { changesAccess = changesAccess || ledger.changesAccess }
        let hasSavepoint = isCareful || write.isUndone
        do {
            if hasSavepoint { try connection.queue(Savepoint.begin, []) }
            changes = connection.changes
            let answer = try write.run(ledger)
            // While the savepoint is there, so that a failure can be undone.
            if hasSavepoint { try connection.settle() }
            if write.isUndone {
                try connection.queue(Savepoint.undo, [])
                memory.forget()
            }
            if hasSavepoint { try connection.queue(Savepoint.end, []) }
            answers.append(answer)
            written.append(write)
            guard !write.isUndone else { return true }
            woken.formUnion(ledger.woken)
            traced += ledger.traced
            if !ledger.occurrences.isEmpty { occurrences.merge(ledger.occurrences, uniquingKeysWith: +) }
            counted.merge(ledger.counted)
            return true
        } catch {
            memory.forget()
            refused.append((write, error))
            guard connection.isInsideTransaction, (error as? StoreError)?.isTransient != true else { throw error }
            // The body's error is known. What it has queued is undone with it, also if that fails.
            if hasSavepoint { try? connection.settle() }
            guard isCareful || !connection.hasFailedLate else { throw error }
            let hasWritten = connection.changes != changes || connection.hasFailedStatement
            guard hasSavepoint else { return !hasWritten }
            if hasWritten, isCareful { metError = true }
            try connection.execute(Savepoint.undo, [])
            try connection.execute(Savepoint.end, [])
            return true
        }
    }

    /// Runs the good writes once more, in a new transaction.
    mutating func repeatClean(on connection: any WritingConnection) throws {
        var left = written[...]
        let refused = refused
        self = CommitBatch()
        self.refused = refused
        // If the database fails meanwhile, the writes that have not run again fail with the batch.
        defer { written += left }
        while let write = left.popFirst() { _ = try run(write, on: connection, carefully: true) }
    }

    /// Runs all writes once more, in a new transaction, because the former one is as if it had never been. Also the
    /// refused ones, because what they had read may be different now.
    ///
    /// - Returns: See ``run(_:on:carefully:)``.
    mutating func runAgain(on connection: any WritingConnection, carefully isCareful: Bool) throws -> Bool {
        var left = (written + refused.map(\.0))[...]
        self = CommitBatch()
        defer { written += left }
        while let write = left.popFirst() {
            guard try run(write, on: connection, carefully: isCareful) else {
                // The others run in the next transaction of this batch.
                return false
            }
        }
        return true
    }
}
