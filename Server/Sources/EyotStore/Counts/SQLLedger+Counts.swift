import EyotDomain

private enum Statements {
    private static let place = "app = ?1 AND activity = ?2 AND width = ?3 AND second = ?4 AND counter = ?5"

    static let count = CountQuery(where: "\(place) AND detail = ?6")
    static let remove = SQLStatement("DELETE FROM kept_counts WHERE \(place) AND detail = ?6")
    static let details = CountQuery(where: place)
    static let ofActivity = CountQuery(
        where: "app = ?1 AND activity = ?2", order: "width, second, counter, detail", limit: 3)
    /// The index of the spans leaves the numbers of whole lives out, and so must its query.
    static let old = SQLStatement(
        """
        \(CountQuery.all) WHERE width = ?1 AND width > 0 AND second < ?2 \
        ORDER BY second, app, activity, counter, detail LIMIT ?3
        """)
    static let inRange = CountQuery(
        where: "app = ?1 AND activity = ?2 AND width = ?3 AND second >= ?4 AND second < ?5",
        order: "second, counter, detail", limit: 6)
    static let removeInsights = SQLStatement(
        """
        DELETE FROM kept_counts WHERE (app, activity, width, second, counter, detail) IN \
        (SELECT app, activity, width, second, counter, detail FROM kept_counts \
        WHERE width = \(CountSpan.day) AND second < ?1 AND activity <= 0 LIMIT ?2)
        """)
    static let declaredType = SQLStatement("SELECT type, type_declared FROM activities WHERE id = ?1")
    static let typeNumber = SQLStatement("SELECT number FROM kept_types WHERE app = ?1 AND name = ?2")
    static let types = SQLStatement("SELECT COUNT(*) FROM kept_types WHERE app = ?1")
    static let addType = SQLStatement("INSERT INTO kept_types (app, name, number) VALUES (?1, ?2, ?3)")
    static let removeOfActivity = SQLStatement(
        """
        DELETE FROM kept_counts WHERE (app, activity, width, second, counter, detail) IN \
        (SELECT app, activity, width, second, counter, detail FROM kept_counts \
        WHERE app = ?1 AND activity = ?2 LIMIT ?3)
        """)
    static let putReport = KeptReport.table.upsert
    static let reportsOfName = KeptReport.table.select(
        "WHERE r.app = ?1 AND r.name = ?2 ORDER BY r.generation DESC LIMIT ?3")
    static let oldReports = KeptReport.table.select("WHERE r.kept_since < ?1 ORDER BY r.kept_since LIMIT ?2")
    static let removeReport = SQLStatement("DELETE FROM kept_reports WHERE activity = ?1")
}

extension SQLLedger {
    package func count(at key: CountKey) throws -> Int? {
        let single = try counts(Statements.count, shared: key.isShared, key.values)
        let together = try spanCounts(at: key.place).filter { $0.key == key }
        return Self.merged(single, together, limit: 1).first?.value
    }

    package func details(at place: CountKey) throws -> [String: Int] {
        let single = try counts(Statements.details, shared: place.isShared, Array(place.values.dropLast()))
        let together = try spanCounts(at: place.place).filter { $0.key.counter == place.counter }
        let counts = Self.merged(single, together, limit: .max)
        return Dictionary(counts.map { ($0.key.detail, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    package func counts(of activity: ActivityID, in app: AppID, limit: Int) throws -> [KeptCount] {
        let single = try counts(
            Statements.ofActivity, shared: activity.rawValue <= 0,
            [SQLValue(app), SQLValue(activity), SQLValue(limit)], limit: limit)
        return Self.merged(single, try spanCounts(of: activity, in: app, limit: limit), limit: limit)
    }

    /// Numbers of spans were once stored one by one. Those that are left count too.
    static func merged(_ single: [KeptCount], _ together: [KeptCount], limit: Int) -> [KeptCount] {
        guard !together.isEmpty else { return single }
        guard !single.isEmpty else { return Array(together.prefix(limit)) }
        var sums: [CountKey: Int] = [:]
        for count in single + together {
            sums[count.key] = count.key.counter.adding(count.value, to: sums[count.key] ?? 0)
        }
        return sums.sorted { $0.key < $1.key }.prefix(limit).map { KeptCount($0.key, $0.value) }
    }

    package func counts(ofWidth width: Int, before second: Int, limit: Int) throws -> [KeptCount] {
        try all(Statements.old, SQLValue(width), SQLValue(second), SQLValue(limit))
    }

    package func counts(in range: CountRange, limit: Int) throws -> [KeptCount] {
        let single = try counts(
            Statements.inRange, shared: range.activity.rawValue <= 0,
            [
                SQLValue(range.app), SQLValue(range.activity), SQLValue(range.width),
                SQLValue(range.seconds.lowerBound), SQLValue(range.seconds.upperBound), SQLValue(limit),
            ], limit: limit)
        return Self.merged(single, try spanCounts(in: range, limit: limit), limit: limit)
    }

    package func declaredType(of activity: ActivityID) throws -> DeclaredType? {
        try connection.rows(Statements.declaredType, [SQLValue(activity)]) { row in
            let name = try row.optionalText()
            let isDeclared = try row.flag()
            return name.map { DeclaredType(name: $0, isDeclared: isDeclared) }
        }.first ?? nil
    }

    package func removeInsights(before second: Int, limit: Int) throws -> Int {
        try connection.execute(Statements.removeInsights, [SQLValue(second), SQLValue(limit)])
    }

    package func typeNumber(of name: String, in app: AppID) throws -> Int? {
        try connection.rows(Statements.typeNumber, [SQLValue(app), SQLValue(name)]) { try $0.integer() }.first
    }

    package func addType(_ name: String, in app: AppID, limit: Int) throws -> Int? {
        let known = try connection.rows(Statements.types, [SQLValue(app)]) { try $0.integer() }.first ?? 0
        guard known < limit else { return nil }
        try connection.queue(Statements.addType, [SQLValue(app), SQLValue(name), SQLValue(known + 1)])
        return known + 1
    }

    /// Leaves what writers keep apart.
    package func removeCount(at key: CountKey) throws {
        try connection.queue(Statements.remove, key.values)
        guard key.place.isTogether else { return }
        var numbers = try numbers(at: key.place)
        guard numbers[key.counter, key.detail] != nil else { return }
        numbers.remove(key.counter, key.detail)
        try put(numbers, at: key.place)
    }

    package func removeCounts(of activity: ActivityID, in app: AppID, limit: Int) throws -> Int {
        let removed = try removeSpans(of: activity, in: app, limit: limit)
        guard removed < limit else { return removed }
        return removed
            + (try connection.execute(
                Statements.removeOfActivity, [SQLValue(app), SQLValue(activity), SQLValue(limit - removed)]))
    }

    package func put(_ report: KeptReport) throws { try connection.queue(Statements.putReport, report.values) }

    package func keptReports(named name: String, in app: AppID, limit: Int) throws -> [KeptReport] {
        try all(Statements.reportsOfName, SQLValue(app), SQLValue(name), SQLValue(limit))
    }

    package func keptReports(since moment: Instant, limit: Int) throws -> [KeptReport] {
        try all(Statements.oldReports, SQLValue(moment), SQLValue(limit))
    }

    package func removeKeptReport(of activity: ActivityID) throws {
        try connection.queue(Statements.removeReport, [SQLValue(activity)])
    }
}

extension CountKey {
    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(activity), SQLValue(span.width), SQLValue(span.second), SQLValue(counter.name),
            SQLValue(detail),
        ]
    }
}

extension KeptCount: SQLRecord {
    static let table = SQLTable(
        "kept_counts", key: "app", "activity", "width", "second", "counter", "detail", changing: ["value"])

    var values: [SQLValue] { key.values + [SQLValue(value)] }

    init(columns: inout SQLColumns) throws {
        let (app, activity) = (AppID(rawValue: try columns.number()), ActivityID(rawValue: try columns.number()))
        let span = CountSpan(width: try columns.integer(), second: try columns.integer())
        let counter = KeptCounter(stored: try columns.text())
        let key = CountKey(app: app, activity: activity, counter, try columns.text(), in: span)
        self.init(key, try columns.integer())
    }
}

extension KeptReport: SQLRecord {
    static let table = SQLTable(
        "kept_reports", key: "activity",
        changing: [
            "app", "name", "generation", "type", "version", "state", "created_at", "ended_at", "kept_since",
            "state_as_of",
        ])

    var values: [SQLValue] {
        [
            SQLValue(activity), SQLValue(app), SQLValue(name), SQLValue(generation), SQLValue(type), SQLValue(version),
            SQLValue(state), SQLValue(createdAt), SQLValue(endedAt), SQLValue(keptSince), SQLValue(stateAsOf),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let (id, app) = (ActivityID(rawValue: try columns.number()), AppID(rawValue: try columns.number()))
        let (name, generation) = (try columns.text(), try columns.integer())
        let type = try columns.optionalText()
        let (version, state) = (try columns.integer(), try columns.integer())
        var activity = Activity(
            id: id, app: app, name: name, generation: generation, type: type, createdAt: try columns.moment())
        (activity.version, activity.common.state) = (version, state)
        activity.endedAt = try columns.optionalMoment()
        let keptSince = try columns.optionalMoment()
        activity.common.asOf = try columns.optionalMoment()
        self.init(of: activity, keptSince: keptSince)
    }
}
