/// The limits of the writer.
package struct GroupCommitLimits: Sendable, Hashable {
    /// Writes that may wait, and as many urgent ones beside them. A further write is refused with `unavailable`.
    package var queue = 4_096
    /// Writes in one commit.
    package var batch = 512
    /// The time after which a transaction takes in no further write, so that no caller waits long for the disk.
    package var time = Duration.milliseconds(10)
    /// How long one write may search by an audience. Calls find their members before they write, so hardly any search
    /// is left.
    package var search = Duration.seconds(1)
    /// How often a transaction is run again that was in conflict with others, or lost its connection.
    package var repeats = 12

    package init() {}
}
