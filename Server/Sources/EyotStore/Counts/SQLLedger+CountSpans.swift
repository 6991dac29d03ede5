import EyotDomain

private enum Statements {
    private static let place = "app = ?1 AND activity = ?2"

    static let numbers = SQLStatement(
        "SELECT numbers FROM kept_spans WHERE \(place) AND width = ?3 AND second = ?4")
    static let put = SQLStatement(
        """
        INSERT INTO kept_spans (app, activity, width, second, numbers) VALUES (?1, ?2, ?3, ?4, ?5) \
        ON CONFLICT (app, activity, width, second) DO UPDATE SET numbers = excluded.numbers
        """)
    static let remove = SQLStatement("DELETE FROM kept_spans WHERE \(place) AND width = ?3 AND second = ?4")
    static let ofActivity = spans(where: place, order: "width, second", limit: 3)
    static let inRange = spans(
        where: "\(place) AND width = ?3 AND second >= ?4 AND second < ?5", order: "second", limit: 6)
    static let old = spans(where: "width = ?1 AND second < ?2", order: "second, app, activity", limit: 3)
    static let removeOfActivity = SQLStatement(
        "DELETE FROM kept_spans WHERE id IN (SELECT id FROM kept_spans WHERE \(place) LIMIT ?3)")

    private static func spans(where condition: String, order: String, limit: Int) -> SQLStatement {
        SQLStatement(
            """
            SELECT app, activity, width, second, numbers FROM kept_spans WHERE \(condition) \
            ORDER BY \(order) LIMIT ?\(limit)
            """)
    }
}

/// The numbers of activities in spans of time. A row holds all numbers of a place.
extension SQLLedger {
    package func numbers(at place: CountPlace) throws -> SpanNumbers {
        try connection.rows(Statements.numbers, place.values) { try $0.spanNumbers() }.first ?? SpanNumbers()
    }

    package func put(_ numbers: SpanNumbers, at place: CountPlace) throws {
        guard !numbers.isEmpty else { return try connection.queue(Statements.remove, place.values) }
        try connection.queue(Statements.put, place.values + [.text(numbers.text)])
    }

    package func spans(
        ofWidth width: Int, before second: Int, limit: Int
    ) throws -> [(place: CountPlace, numbers: SpanNumbers)] {
        try spans(Statements.old, [SQLValue(width), SQLValue(second), SQLValue(limit)])
    }

    /// The numbers at a place, if they are stored together.
    func spanCounts(at place: CountPlace) throws -> [KeptCount] {
        place.isTogether ? try numbers(at: place).counts(at: place) : []
    }

    /// The first numbers of an activity that are stored together. Each row has one at least.
    func spanCounts(of activity: ActivityID, in app: AppID, limit: Int) throws -> [KeptCount] {
        guard activity.rawValue > 0 else { return [] }
        return try spans(Statements.ofActivity, [SQLValue(app), SQLValue(activity), SQLValue(limit)])
            .flatMap { $0.numbers.counts(at: $0.place) }
    }

    func spanCounts(in range: CountRange, limit: Int) throws -> [KeptCount] {
        guard range.activity.rawValue > 0 else { return [] }
        let values = [
            SQLValue(range.app), SQLValue(range.activity), SQLValue(range.width), SQLValue(range.seconds.lowerBound),
            SQLValue(range.seconds.upperBound), SQLValue(limit),
        ]
        return try spans(Statements.inRange, values).flatMap { $0.numbers.counts(at: $0.place) }
    }

    func removeSpans(of activity: ActivityID, in app: AppID, limit: Int) throws -> Int {
        try connection.execute(Statements.removeOfActivity, [SQLValue(app), SQLValue(activity), SQLValue(limit)])
    }

    private func spans(
        _ statement: SQLStatement, _ values: [SQLValue]
    ) throws -> [(place: CountPlace, numbers: SpanNumbers)] {
        try connection.rows(statement, values) { row in
            let place = CountPlace(
                app: AppID(rawValue: try row.number()), activity: ActivityID(rawValue: try row.number()),
                span: CountSpan(width: try row.integer(), second: try row.integer()))
            return (place, try row.spanNumbers())
        }
    }
}

extension CountPlace {
    fileprivate var values: [SQLValue] {
        [SQLValue(app), SQLValue(activity), SQLValue(span.width), SQLValue(span.second)]
    }
}

extension SQLColumns {
    fileprivate mutating func spanNumbers() throws -> SpanNumbers {
        guard let numbers = SpanNumbers(text: try text()) else { throw unreadable("numbers of a span") }
        return numbers
    }
}
