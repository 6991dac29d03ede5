import EyotDomain

/// The numbers of types and apps, which every transaction of an app adds to.
///
/// Where several writers write at the same time, each adds to rows of its own, because two transactions that change the
/// same row run one after the other. Reads add the rows up. When a span is over, its rows are folded into one; numbers
/// without a span are folded each time.
private enum Statements {
    private static let place = CountQuery.place
    private static let condition = place.split(separator: ", ").enumerated().map { "\($1) = ?\($0 + 1)" }
        .joined(separator: " AND ")

    static let add = upsert("kept_counts", sum: true)
    static let raise = upsert("kept_counts", sum: false)
    static let addPart = upsert("count_parts", sum: true, ", writer")
    static let raisePart = upsert("count_parts", sum: false, ", writer")

    private static func upsert(_ table: String, sum isSum: Bool, _ writer: String = "") -> SQLStatement {
        let greater = "CASE WHEN excluded.value > \(table).value THEN excluded.value ELSE \(table).value END"
        return SQLStatement(
            """
            INSERT INTO \(table) (\(place), value\(writer)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7\(writer.isEmpty ? "" : ", ?8")) \
            ON CONFLICT (\(place)\(writer)) DO UPDATE SET \
            value = \(isSum ? "\(table).value + excluded.value" : greater)
            """)
    }

    static let parts = SQLStatement(
        """
        SELECT \(place), \(CountQuery.value) FROM count_parts WHERE app > 0 AND second + width <= ?1 \
        GROUP BY \(place) ORDER BY \(place) LIMIT ?2
        """)
    static let removeParts = SQLStatement("DELETE FROM count_parts WHERE \(condition)")
}

/// A query for kept numbers.
struct CountQuery {
    static let place = "app, activity, width, second, counter, detail"
    static let all = "SELECT \(place), value FROM kept_counts"
    private static let maxima = KeptCounter.maxima.map { "'\($0.name)'" }.joined(separator: ", ")
    static let value =
        "CAST(CASE WHEN counter IN (\(maxima)) THEN MAX(value) ELSE SUM(value) END AS BIGINT)"

    let whole: SQLStatement
    /// For numbers that writers also keep apart. The rows of all of them are added up.
    let shared: [SQLStatement]

    /// - Parameter condition: Chooses the numbers, without an order.
    init(where condition: String) {
        whole = SQLStatement("\(Self.all) WHERE \(condition)")
        shared = [
            SQLStatement(
                """
                \(Self.all) WHERE \(condition) \
                UNION ALL SELECT \(Self.place), value FROM count_parts WHERE \(condition)
                """)
        ]
    }

    /// - Parameters:
    ///   - order: The order of the places, without columns that are the same for all.
    ///   - limit: The number of the parameter with the most numbers.
    init(where condition: String, order: String, limit: Int) {
        whole = SQLStatement("\(Self.all) WHERE \(condition) ORDER BY \(order) LIMIT ?\(limit)")
        shared = [
            whole,
            SQLStatement(
                """
                SELECT \(Self.place), \(Self.value) FROM count_parts WHERE \(condition) \
                GROUP BY \(Self.place) ORDER BY \(Self.place) LIMIT ?\(limit)
                """),
        ]
    }
}

extension SQLLedger {
    package func add(_ value: Int, to key: CountKey) throws {
        guard !key.place.isTogether else {
            var numbers = SpanNumbers()
            numbers.add(value, to: key.counter, key.detail)
            return try add(numbers, at: key.place)
        }
        guard key.isShared, let writer = connection.writerName else { return try addWhole(value, to: key) }
        let statement = key.counter.isMaximum ? Statements.raisePart : Statements.addPart
        try connection.queue(statement, key.values + [SQLValue(value), .text(writer)])
    }

    package func addWhole(_ value: Int, to key: CountKey) throws {
        let statement = key.counter.isMaximum ? Statements.raise : Statements.add
        try connection.queue(statement, key.values + [SQLValue(value)])
    }

    package func keepsApart(_ key: CountKey) -> Bool { key.isShared && connection.writerName != nil }

    package func takeParts(endedBy second: Int, limit: Int) throws -> [KeptCount] {
        let parts = try counts(Statements.parts, [SQLValue(second), SQLValue(limit)])
        for part in parts { try connection.queue(Statements.removeParts, part.key.values) }
        return parts
    }

    /// - Parameters:
    ///   - isShared: Whether writers keep parts of these numbers apart.
    ///   - limit: How many numbers the query returns, as it also says itself.
    func counts(
        _ query: CountQuery, shared isShared: Bool, _ arguments: [SQLValue], limit: Int = .max
    ) throws -> [KeptCount] {
        guard isShared else { return try counts(query.whole, arguments) }
        var changes = CountChanges()
        for statement in query.shared {
            for count in try counts(statement, arguments) { changes.add(count.value, to: count.key) }
        }
        // Each of the first places of all is among the first of one statement.
        return changes.values.sorted { $0.key < $1.key }.prefix(limit).map { KeptCount($0.key, $0.value) }
    }

    private func counts(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> [KeptCount] {
        try connection.rows(statement, arguments) { try KeptCount(columns: &$0) }
    }
}

extension CountKey {
    /// Whether many activities or phones add to the number at the same time.
    var isShared: Bool { activity.rawValue <= 0 }
}
