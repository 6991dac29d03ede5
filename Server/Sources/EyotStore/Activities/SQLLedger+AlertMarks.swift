import EyotDomain

private enum Statements {
    static let insert = SQLStatement(
        "INSERT INTO alert_marks (activity, ordinal, second, runs) VALUES (?1, ?2, ?3, ?4)")
    static let update = SQLStatement(
        "UPDATE alert_marks SET runs = ?4 WHERE activity = ?1 AND ordinal = ?2 AND second = ?3")
    static let remove = SQLStatement("DELETE FROM alert_marks WHERE activity = ?1 AND ordinal = ?2 AND second = ?3")
    static let mark = SQLStatement(
        """
        SELECT activity, ordinal, second, runs FROM alert_marks WHERE activity = ?1 AND ordinal = ?2 AND second = ?3
        """)
    static let marks = SQLStatement(
        """
        SELECT activity, ordinal, second, runs FROM alert_marks WHERE \(isIn(shards: 2, "activity")) \
        ORDER BY activity, ordinal, second LIMIT ?1
        """)
}

extension SQLLedger {
    package func alertMark(_ key: AlertMark.Key) throws -> AlertMark? {
        try connection.rows(Statements.mark, key.values) { try AlertMark(&$0) }.first
    }

    package func insert(_ mark: AlertMark) throws {
        try connection.queue(Statements.insert, mark.key.values + [SQLValue(mark.bytes)])
    }

    package func update(_ mark: AlertMark) throws {
        try connection.queue(Statements.update, mark.key.values + [SQLValue(mark.bytes)])
    }

    package func removeAlertMark(_ key: AlertMark.Key) throws { try connection.queue(Statements.remove, key.values) }

    package func alertMarks(limit: Int, in shards: Shards) throws -> [AlertMark] {
        try connection.rows(Statements.marks, [SQLValue(limit), SQLValue(shards)]) { try AlertMark(&$0) }
    }
}

extension AlertMark {
    fileprivate init(_ row: inout SQLColumns) throws {
        let key = Key(
            activity: ActivityID(rawValue: try row.number()), ordinal: try row.integer(), second: try row.integer())
        guard let mark = AlertMark(key, bytes: try row.bytes()) else { throw row.unreadable("alerts of a page") }
        self = mark
    }
}

extension AlertMark.Key {
    fileprivate var values: [SQLValue] { [SQLValue(activity), SQLValue(ordinal), SQLValue(second)] }
}
