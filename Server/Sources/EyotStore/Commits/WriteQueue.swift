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
    /// Writes in the order in which they came.
    struct Line {
        private var writes: [QueuedWrite] = []
        /// The index of the next write. The writes before it have been taken.
        private var head = 0

        var count: Int { writes.count - head }

        mutating func append(_ write: QueuedWrite) { writes.append(write) }

        mutating func next() -> QueuedWrite? {
            guard head < writes.count else { return nil }
            defer { head += 1 }
            return writes[head]
        }

        /// Drops the writes that have been taken, once they are as many as the others.
        mutating func compact() {
            guard head * 2 >= writes.count else { return }
            writes.removeFirst(head)
            head = 0
        }
    }

    var ordinary = Line()
    /// The engine's writes. They go ahead of the ordinary ones.
    var urgent = Line()

    var count: Int { ordinary.count + urgent.count }

    /// Removes and returns the next write: from the preferred line, or from the other if that is empty.
    mutating func next(urgentFirst: Bool = true) -> QueuedWrite? {
        urgentFirst ? urgent.next() ?? ordinary.next() : ordinary.next() ?? urgent.next()
    }

    mutating func compact() {
        ordinary.compact()
        urgent.compact()
    }
}
