/// A connection that writes, as ``GroupCommit`` needs it. It is used on its writer's thread alone.
package protocol WritingConnection: SQLConnection {
    /// Whether a transaction is open. A database may end one by itself after an error.
    var isInsideTransaction: Bool { get }
    /// Whether a statement has failed, and the database refuses all others until it is undone. SQLite undoes a failed
    /// statement alone.
    var hasFailedStatement: Bool { get }
    /// Whether a queued statement of this transaction has failed. Another body may have queued it than the one that
    /// got the error.
    var hasFailedLate: Bool { get }
    /// How many rows this connection has changed, in all its transactions. A queued statement counts as one row.
    var changes: Int { get }

    /// Waits for the answers to all queued statements.
    ///
    /// - Throws: ``StoreError``, of the first one that failed.
    func settle() throws

    /// Begins a transaction that writes.
    ///
    /// - Parameter isAlone: Whether no other transaction that writes may run beside it, in any process.
    /// - Throws: ``StoreError``.
    func begin(alone isAlone: Bool) throws

    /// Makes the transaction durable.
    ///
    /// - Throws: ``StoreError``. Then the transaction has changed nothing, except perhaps after
    ///   ``StoreError/unknownCommit(_:)``.
    func commit() throws

    /// Undoes the transaction.
    func rollback() throws

    /// Gives the searches of the next body the whole time again.
    func beginBody()
}

extension WritingConnection {
    /// The default for databases that answer each statement at once.
    package var hasFailedLate: Bool { false }

    /// The default for databases that answer each statement at once.
    package func settle() throws {}
}

/// A thread, or a queue, with one connection that writes.
package protocol Writer: Sendable {
    /// Runs work after the work that was scheduled before.
    func schedule(_ work: @escaping @Sendable (any WritingConnection) -> Void)
}
