/// What a store knows of itself in memory.
package struct StoreHealth: Sendable, Hashable {
    /// Seconds without a finished attempt, while writes wait, after which the writer counts as stuck. An attempt waits
    /// up to 5 s for another process that holds the file.
    package static let longestBusy = 10.0
    /// Waiting writes from which on the store counts as overloaded.
    package static let manyWrites = 1_000

    /// Writes that wait for their transaction.
    package var waitingWrites = 0
    /// Seconds for which nothing could be written: since the writer last finished a commit, while it has work, or since
    /// the first of the attempts that could not begin. Otherwise 0.
    package var busySeconds = 0.0
    /// The same without the attempts that have ended, however they ended.
    package var stalledSeconds = 0.0
    /// Whether the database has refused writes or reads. ``Store/check()`` finds out if it still does.
    package var isInTrouble = false
    /// Whether the last write that reached the disk found it full.
    package var hasFullDisk = false
    /// Free bytes of the file system; nil if it does not say.
    package var freeBytes: Int?
    /// Bytes of the log beside the database; nil if there is none.
    package var walBytes: Int?
    /// The step of the schema; nil for a store without one.
    package var schema: Int?

    package init() {}

    /// Whether the writer itself has finished nothing for too long.
    package var isStuck: Bool { stalledSeconds > Self.longestBusy }

    /// Whether little more than the log fits on the disk. A fold of the log needs about as much.
    package var isLowOnSpace: Bool {
        guard let freeBytes else { return false }
        return freeBytes < 2 * (walBytes ?? 0)
    }
}
