/// A connection that writes, as ``GroupCommit`` needs it. It is used on its writer's thread alone.
package protocol WritingConnection: SQLConnection {
    /// Whether a transaction is open. A database may end one by itself after an error.
    var isInsideTransaction: Bool { get }
    /// Whether a statement has failed, and the database refuses all others until it is undone. SQLite undoes a failed
    /// statement alone.
    var hasFailedStatement: Bool { get }
    /// How many rows this connection has changed, in all its transactions.
    var changes: Int { get }

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

/// A thread, or a queue, with one connection that writes.
package protocol Writer: Sendable {
    /// Runs work after the work that was scheduled before.
    func schedule(_ work: @escaping @Sendable (any WritingConnection) -> Void)
}
