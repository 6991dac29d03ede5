import EyotDomain

private enum Statements {
    private static let counted = "devices, opened_names, refused_names"
    static let usage = SQLStatement(
        """
        SELECT \(counted) FROM app_usage WHERE app = ?1 \
        UNION ALL SELECT \(counted) FROM app_usage_parts WHERE app = ?1
        """)
    static let add = upsert("app_usage", key: "app", 1)
    static let addPart = upsert("app_usage_parts", key: "app, writer", 2)
    static let parts = SQLStatement(
        "SELECT app, writer, \(counted) FROM app_usage_parts WHERE app > 0 ORDER BY app, writer LIMIT ?1")
    static let removePart = SQLStatement("DELETE FROM app_usage_parts WHERE app = ?1 AND writer = ?2")

    private static func upsert(_ table: String, key: String, _ columns: Int) -> SQLStatement {
        let values = (1...columns + 3).map { "?\($0)" }.joined(separator: ", ")
        let sums = counted.split(separator: ", ").map { "\($0) = \(table).\($0) + excluded.\($0)" }
        return SQLStatement(
            """
            INSERT INTO \(table) (\(key), \(counted)) VALUES (\(values)) \
            ON CONFLICT (\(key)) DO UPDATE SET \(sums.joined(separator: ", "))
            """)
    }

    static let openedNames = SQLStatement(
        """
        SELECT x.activity FROM replicas x JOIN activities a ON a.id = x.activity \
        WHERE x.device = ?1 AND a.version = 0 LIMIT ?2
        """)
    static let opened = Activity.table.select("WHERE r.version = 0 AND r.id > ?1 ORDER BY r.id LIMIT ?2")
    static let formerKey = FormerAppKey.table.select("WHERE r.public_key = ?1")
    static let formerKeys = FormerAppKey.table.select("WHERE r.app = ?1 ORDER BY r.until, r.public_key")
    static let insertKey = FormerAppKey.table.insert
    static let removeKey = SQLStatement("DELETE FROM former_app_keys WHERE public_key = ?1")
}

extension SQLLedger {
    package func usage(of app: AppID) throws -> AppUsage {
        try connection.rows(Statements.usage, [SQLValue(app)]) { try AppUsage(columns: &$0) }
            .reduce(AppUsage()) { $0 + $1 }
    }

    /// Of several writers each adds to a row of its own, like to other numbers of an app.
    package func add(_ change: AppUsage, to app: AppID) throws {
        guard let writer = connection.writerName else { return try addWhole(change, to: app) }
        try connection.queue(Statements.addPart, [SQLValue(app), .text(writer)] + change.values)
    }

    private func addWhole(_ change: AppUsage, to app: AppID) throws {
        try connection.queue(Statements.add, [SQLValue(app)] + change.values)
    }

    package func foldUsage(limit: Int) throws -> Int {
        let parts = try connection.rows(Statements.parts, [SQLValue(limit)]) { row in
            (app: AppID(rawValue: try row.number()), writer: try row.text(), usage: try AppUsage(columns: &row))
        }
        for part in parts {
            try addWhole(part.usage, to: part.app)
            try connection.queue(Statements.removePart, [SQLValue(part.app), .text(part.writer)])
        }
        return parts.count
    }

    package func openedNames(by device: DeviceID, limit: Int) throws -> Int {
        try connection.rows(Statements.openedNames, [SQLValue(device), SQLValue(limit)]) { try $0.number() }.count
    }

    package func openedActivities(after id: ActivityID, limit: Int) throws -> [Activity] {
        try all(Statements.opened, SQLValue(id), SQLValue(limit))
    }

    package func formerAppKey(_ text: String) throws -> FormerAppKey? {
        try first(Statements.formerKey, SQLValue(text))
    }

    package func formerAppKeys(of app: AppID) throws -> [FormerAppKey] { try all(Statements.formerKeys, SQLValue(app)) }

    package func insert(_ key: FormerAppKey) throws { try connection.queue(Statements.insertKey, key.values) }

    package func removeFormerAppKey(_ text: String) throws {
        try connection.queue(Statements.removeKey, [SQLValue(text)])
    }
}

extension AppUsage {
    fileprivate var values: [SQLValue] { [SQLValue(devices), SQLValue(openedNames), SQLValue(refusedNames)] }

    fileprivate init(columns: inout SQLColumns) throws {
        self.init(
            devices: try columns.integer(), openedNames: try columns.integer(), refusedNames: try columns.integer())
    }
}

extension FormerAppKey: SQLRecord {
    static let table = SQLTable("former_app_keys", key: "public_key", fixed: ["app", "until"], changing: [])

    var values: [SQLValue] { [SQLValue(text), SQLValue(app), SQLValue(until)] }

    init(columns: inout SQLColumns) throws {
        let text = try columns.text()
        self.init(app: AppID(rawValue: try columns.number()), text: text, until: try columns.moment())
    }
}
