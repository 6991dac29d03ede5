// The two forms of withLock differ in what the closure takes.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

/// A value behind a lock, whose changes are announced in their order and with the lock open.
///
/// A continuation that is yielded to or finished takes the lock of the task that waits for it. A task that is cancelled
/// calls back with that same lock held. An announcement under our own lock could therefore wait for a task that waits
/// for us. Here a change only lists its announcements. The caller that finds no announcements under way makes them,
/// also those that other callers list meanwhile.
///
/// The list is empty again after each round. An announcement returns at once, so that the list stays short.
package final class AnnouncedValue<Value: Sendable>: Sendable {
    /// Something to be done once the lock is open: a yield, a resume, a finish or a call of a closure.
    package typealias Announcement = @Sendable () -> Void

    private struct Contents: Sendable {
        var value: Value
        var waiting: [Announcement] = []
        var isAnnouncing = false

        /// The announcements that the caller is to make; none where there are none, or another caller is making them.
        mutating func begin() -> [Announcement] {
            guard !isAnnouncing, !waiting.isEmpty else { return [] }
            isAnnouncing = true
            return takeWaiting()
        }

        /// What came meanwhile. None ends the round.
        mutating func next() -> [Announcement] {
            if waiting.isEmpty { isAnnouncing = false }
            return takeWaiting()
        }

        private mutating func takeWaiting() -> [Announcement] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let contents: Guarded<Contents>

    package init(_ value: Value) { contents = Guarded(Contents(value: value)) }

    /// Changes the value, then makes the announcements that `body` has added to its second argument, in order.
    ///
    /// Not reentrant: `body` must not come back to this value. An announcement may.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value, inout [Announcement]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var announcements: [Announcement] = []
        defer { announce(announcements) }
        return try contents.withLock { contents throws(Failure) in
            defer { announcements = contents.begin() }
            return try body(&contents.value, &contents.waiting)
        }
    }

    /// Reads or changes the value without an announcement.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try contents.withLock { contents throws(Failure) in try body(&contents.value) }
    }

    private func announce(_ first: [Announcement]) {
        var announcements = first
        while !announcements.isEmpty {
            for announcement in announcements { announcement() }
            announcements = contents.withLock { $0.next() }
        }
    }
}
