import EyotDomain

/// A write that waits for its commit.
package struct QueuedWrite: Sendable {
    /// Runs the body. The closure that it returns answers the caller, once the commit is durable.
    var run: @Sendable (any Ledger) throws -> @Sendable () -> Void
    /// Answers the caller with an error. By then the body's changes are undone.
    var fail: @Sendable (any Error) -> Void
    /// Whether its changes are undone even if it succeeds.
    var isUndone = false

    package init(
        run: @escaping @Sendable (any Ledger) throws -> @Sendable () -> Void,
        fail: @escaping @Sendable (any Error) -> Void, isUndone: Bool = false
    ) {
        (self.run, self.fail, self.isUndone) = (run, fail, isUndone)
    }
}

/// The writes that wait, ordinary and urgent ones.
struct WriteQueue {
    var ordinary = Line<QueuedWrite>()
    /// The engine's writes. They go ahead of the ordinary ones.
    var urgent = Line<QueuedWrite>()

    var count: Int { ordinary.count + urgent.count }

    /// Removes and returns the next write: from the preferred line, or from the other if that is empty.
    ///
    /// - Parameter mayBeUrgent: False if another writer has the urgent ones.
    mutating func next(urgentFirst: Bool = true, mayBeUrgent: Bool = true) -> QueuedWrite? {
        guard mayBeUrgent else { return ordinary.next() }
        return urgentFirst ? urgent.next() ?? ordinary.next() : ordinary.next() ?? urgent.next()
    }

    mutating func compact() {
        ordinary.compact()
        urgent.compact()
    }
}
