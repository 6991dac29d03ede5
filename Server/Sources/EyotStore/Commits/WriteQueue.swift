import EyotDomain

/// A write that waits for its commit.
package struct QueuedWrite: Sendable {
    /// Runs the body. The closure that it returns answers the caller, once the commit is durable.
    var run: @Sendable (any Ledger) throws -> @Sendable () -> Void
    /// Answers the caller with an error. By then the body's changes are undone.
    var fail: @Sendable (any Error) -> Void
    /// Whether its changes are undone even if it succeeds.
    var isUndone = false
    /// Whether it only asks if the database still refuses a write.
    var isRetry = false
    /// Its place among all writes of the queue.
    fileprivate(set) var number = 0

    package init(
        run: @escaping @Sendable (any Ledger) throws -> @Sendable () -> Void,
        fail: @escaping @Sendable (any Error) -> Void, isUndone: Bool = false
    ) {
        (self.run, self.fail, self.isUndone) = (run, fail, isUndone)
    }
}

/// The writes that wait, ordinary and urgent ones.
struct WriteQueue {
    private(set) var ordinary = Line<QueuedWrite>()
    /// The engine's writes. They go ahead of the ordinary ones.
    private(set) var urgent = Line<QueuedWrite>()
    /// The number of the last write that was appended.
    private(set) var last = 0

    var count: Int { ordinary.count + urgent.count }

    mutating func append(_ write: QueuedWrite, urgently isUrgent: Bool) {
        last += 1
        var write = write
        write.number = last
        if isUrgent { urgent.append(write) } else { ordinary.append(write) }
    }

    /// Removes and returns the next write: from the preferred line, or from the other if that has none.
    ///
    /// - Parameters:
    ///   - mayBeUrgent: False if another writer has the urgent ones.
    ///   - number: The last write that may be taken.
    mutating func next(urgentFirst: Bool, mayBeUrgent: Bool, upTo number: Int) -> QueuedWrite? {
        func next(of line: inout Line<QueuedWrite>) -> QueuedWrite? {
            line.first.flatMap { $0.number <= number ? line.next() : nil }
        }
        guard mayBeUrgent else { return next(of: &ordinary) }
        return urgentFirst
            ? next(of: &urgent) ?? next(of: &ordinary) : next(of: &ordinary) ?? next(of: &urgent)
    }

    mutating func compact() {
        ordinary.compact()
        urgent.compact()
    }
}
