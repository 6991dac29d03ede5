import EyotDomain

/// What a writer has committed since it began, for measurements.
package struct CommitTally: Sendable, Hashable {
    package var commits = 0
    /// Writes that the commits held.
    package var writes = 0
    /// Seconds that the commits took: waiting for the disk, and folding the log into the file.
    package var seconds = 0.0
    /// Transactions that were run again, because they were in conflict with others.
    package var repeats = 0

    package init() {}

    package static func - (a: CommitTally, b: CommitTally) -> CommitTally {
        var difference = a
        difference.commits -= b.commits
        difference.writes -= b.writes
        difference.seconds -= b.seconds
        difference.repeats -= b.repeats
        return difference
    }
}

/// How a commit ended, for metrics.
package struct CommitReport: Sendable {
    /// The writes that it held.
    package var writes = 0
    /// Seconds that it took.
    package var seconds = 0.0
    /// What its transactions did. Empty if it failed.
    package var occurrences: [Occurrence: Int] = [:]
    /// The operations that it made for traced calls.
    package var traced: [TracedOperation] = []
    /// Why it failed; nil if it did not.
    package var failure: StoreError?
}
