import EyotDomain

private enum Statements {
    static let usage = SQLStatement(
        "SELECT devices, opened_names, refused_names FROM app_usage WHERE app = ?1")
    static let add = SQLStatement(
        """
        INSERT INTO app_usage (app, devices, opened_names, refused_names) VALUES (?1, ?2, ?3, ?4) \
        ON CONFLICT (app) DO UPDATE SET devices = app_usage.devices + excluded.devices, \
        opened_names = app_usage.opened_names + excluded.opened_names, \
        refused_names = app_usage.refused_names + excluded.refused_names
        """)
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
        try connection.rows(Statements.usage, [SQLValue(app)]) {
            AppUsage(devices: try $0.integer(), openedNames: try $0.integer(), refusedNames: try $0.integer())
        }.first ?? AppUsage()
    }

    package func add(_ change: AppUsage, to app: AppID) throws {
        try connection.queue(
            Statements.add,
            [SQLValue(app), SQLValue(change.devices), SQLValue(change.openedNames), SQLValue(change.refusedNames)])
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

extension FormerAppKey: SQLRecord {
    static let table = SQLTable("former_app_keys", key: "public_key", fixed: ["app", "until"], changing: [])

    var values: [SQLValue] { [SQLValue(text), SQLValue(app), SQLValue(until)] }

    init(columns: inout SQLColumns) throws {
        let text = try columns.text()
        self.init(app: AppID(rawValue: try columns.number()), text: text, until: try columns.moment())
    }
}
