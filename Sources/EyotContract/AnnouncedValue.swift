// The two forms of withLock differ in the parameters of the closure.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

/// A value behind a lock. Its changes are announced in order, after the lock is released.
///
/// A continuation that is yielded to or finished takes the lock of the task that waits for it. A cancelled task calls
/// back while it holds that same lock. An announcement under our own lock could therefore deadlock. Here a change only
/// lists its announcements. A caller that finds no announcements under way makes them, and also those that other
/// callers list meanwhile.
///
/// The list is empty again after each round. An announcement returns at once, so the list stays short.
package final class AnnouncedValue<Value: Sendable>: Sendable {
    /// A call to make after the lock is released: a yield, a resume, a finish or a closure.
    package typealias Announcement = @Sendable () -> Void

    private struct Contents: Sendable {
        var value: Value
        var waiting: [Announcement] = []
        var isAnnouncing = false

        /// Returns the announcements that the caller must make. Empty if there are none, or if another caller is making
        /// them.
        mutating func begin() -> [Announcement] {
            guard !isAnnouncing, !waiting.isEmpty else { return [] }
            isAnnouncing = true
            return takeWaiting()
        }

        /// Returns the announcements that were listed meanwhile. An empty result ends the round.
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

    /// Changes the value, then makes the announcements that `body` added to its second argument, in order.
    ///
    /// Not reentrant: `body` must not use this value again. An announcement may.
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
