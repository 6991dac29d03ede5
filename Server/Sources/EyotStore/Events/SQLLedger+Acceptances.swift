import APNSWire
import EyotDomain

private enum Statements {
    static let insert = RecordInsert(Acceptances.table)
    static let after = feed("r.id > ?1", "r.id")
    static let settledAfter = feed("r.id > ?1 AND \(TransactionNumbers.isSettled("r.id"))", "r.id")
    static let before = feed("r.id < ?1", "r.id DESC")
    static let settledBefore = feed("r.id < ?1 AND \(TransactionNumbers.isSettled("r.id"))", "r.id DESC")
    static let ofPage = Acceptances.table.select(
        "WHERE r.activity = ?1 AND r.page = ?2 ORDER BY r.id DESC LIMIT ?3")
    /// Ids rise with time, so the rows with the lowest ids are enough to look at.
    static let forget = SQLStatement(
        "DELETE FROM acceptances WHERE id IN (SELECT id FROM acceptances ORDER BY id LIMIT ?2) AND at < ?1")
    static let remove = SQLStatement(
        "DELETE FROM acceptances WHERE id IN (SELECT id FROM acceptances WHERE activity = ?1 LIMIT ?2)")

    private static func feed(_ condition: String, _ order: String) -> SQLStatement {
        Acceptances.table.select("WHERE \(condition) ORDER BY \(order) LIMIT ?2")
    }
}

extension SQLLedger {
    package func record(_ acceptances: Acceptances) throws {
        try Statements.insert.queue(acceptances.values, on: connection)
    }

    /// Whether rows may still come below an id that is there.
    private var isNumberedByTransaction: Bool {
        if case .byTransaction = connection.eventNumbers { true } else { false }
    }

    package func acceptances(after id: Int64, limit: Int) throws -> [Acceptances] {
        let statement = isNumberedByTransaction ? Statements.settledAfter : Statements.after
        return try all(statement, .integer(id), SQLValue(limit))
    }

    package func acceptances(before id: Int64, limit: Int) throws -> [Acceptances] {
        let statement = isNumberedByTransaction ? Statements.settledBefore : Statements.before
        return try all(statement, .integer(id), SQLValue(limit))
    }

    package func acceptances(of activity: ActivityID, onPage page: Int, limit: Int) throws -> [Acceptances] {
        try all(Statements.ofPage, SQLValue(activity), SQLValue(page), SQLValue(limit))
    }

    package func removeAcceptances(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.forget, [SQLValue(moment), SQLValue(limit)])
    }

    package func removeAcceptances(of activity: ActivityID, limit: Int) throws -> Int {
        try connection.execute(Statements.remove, [SQLValue(activity), SQLValue(limit)])
    }
}

extension Acceptances: SQLRecord {
    static let table = SQLTable(
        "acceptances", key: "id", fixed: ["activity", "page", "at", "event", "version", "alert", "slots"],
        changing: [])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(activity), SQLValue(page), SQLValue(at), SQLValue(content.event.rawValue),
            SQLValue(content.version), SQLValue(content.alertVersion), SQLValue(slots.bytes),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        let (activity, page) = (ActivityID(rawValue: try columns.number()), try columns.integer())
        let at = try columns.moment()
        let content = Content(
            event: try columns.word(LiveActivityEvent.self), version: try columns.integer(),
            alertVersion: try columns.integer())
        guard let slots = RingSlots(bytes: try columns.optionalBytes() ?? []) else {
            throw columns.unreadable("ordinals of a page")
        }
        self.init(activity: activity, page: page, at: at, content, slots: slots)
        self.id = id
    }
}
