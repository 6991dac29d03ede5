/// How events get their ids, and the rows of logs their numbers (`NumberedLog`). A reader that has seen an event must
/// never meet a lower id later.
package enum EventNumbers {
    /// The table counts. This is right if transactions that write come one after the other.
    case counted
    /// By the numbers of transactions, where several write at the same time. The rows of logs need only rise roughly.
    case byTransaction(TransactionNumbers)
}

/// The ids of events that transactions record at the same time.
///
/// An id is the number of its transaction in the database, and the event's place among those of the transaction. A
/// transaction gets its number when it first writes. So events with a lower id than another may still come only from a
/// transaction with a lower number that has not ended. Readers see the events of transactions below the lowest such
/// number.
package final class TransactionNumbers {
    /// Bits of an id for the place within the transaction.
    private static let bits = 20

    /// A table with one row about the server. It has what is added to the numbers of transactions. That rises when a
    /// database is restored on another server, or a standby takes over, because such a server may use numbers again
    /// that readers have seen.
    package static let table = "database_server"

    private var last: Int64 = 0

    package init() {}

    /// Begins to count for a new transaction.
    package func begin() { last = 0 }

    /// The place of the next event.
    ///
    /// - Throws: ``StoreError`` if the transaction has recorded as many as there are places.
    func next() throws -> Int64 {
        last += 1
        guard last < 1 << Self.bits else { throw StoreError.failed("one transaction records too many events") }
        return last
    }

    /// The expression for the number of the transaction that evaluates it.
    package static let present = "CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)"

    /// The expression for the number of the transaction that recorded an event, with what was added.
    package static func transaction(of id: String) -> String { "(\(id) >> \(bits))" }

    private static let added = "(SELECT n.added FROM \(table) n)"

    /// The expression for the id of an event at a place.
    static func number(_ place: String) -> String {
        "((\(present) + \(added)) << \(bits)) + \(place)"
    }

    /// The expression for an id that no event has reached yet.
    package static let unreached = """
        ((CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT) + \(added)) << \(bits))
        """

    /// The condition that no event can come any more below an id.
    static func isSettled(_ id: String) -> String {
        """
        \(id) < ((CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) + \(added)) << \(bits))
        """
    }
}
