import EyotDomain

/// How the record gets its ids: the events, and the rows of what Apple accepted, which share their numbers. A reader
/// that has seen one must never meet a lower id later. Also how the rows of logs get their numbers (`NumberedLog`).
package enum EventNumbers {
    /// From one sequence. This is right if transactions that write come one after the other.
    case bySequence
    /// By the numbers of transactions, where several write at the same time. The rows of logs need only rise roughly.
    case byTransaction(TransactionNumbers)
    /// Each table counts its own rows. Readers then miss some: tests see that it is so.
    case byTable
}

/// The statements that insert a row under the next id of the record. The table's key is `id`.
struct RecordInsert: Sendable {
    private let byTable: SQLStatement
    private let bySequence: SQLStatement
    private let byTransaction: SQLStatement

    init(_ table: SQLTable) {
        let tables = TransactionNumbers.numberedTables.map { "'\($0)'" }.joined(separator: ", ")
        byTable = table.insertUnderNewKey
        bySequence = table.insert(
            computing: "id",
            by: "(SELECT COALESCE(MAX(s.seq), 0) + 1 FROM sqlite_sequence s WHERE s.name IN (\(tables)))")
        let values = (2...table.columns.count).map { "?\($0)" }
        byTransaction = SQLStatement(
            """
            INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES \
            (\(TransactionNumbers.number("?1")), \(values.joined(separator: ", ")))
            """)
    }

    /// Stores a row. The first of the values is the id, which it does not have yet.
    func queue(_ values: [SQLValue], on connection: any SQLConnection) throws {
        switch connection.eventNumbers {
        case .byTable: try connection.queue(byTable, Array(values.dropFirst()))
        case .bySequence: try connection.queue(bySequence, Array(values.dropFirst()))
        case .byTransaction(let numbers):
            try connection.queue(byTransaction, [.integer(try numbers.next())] + values.dropFirst())
        }
    }
}

/// The ids of what transactions record at the same time.
///
/// An id is the number of its transaction in the database, and the place among what the transaction records. A
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

    /// The tables of the record. Their rows have these ids.
    package static let numberedTables = [Event.table.name, Acceptances.table.name]

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
