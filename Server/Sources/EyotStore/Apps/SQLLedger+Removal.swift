import EyotDomain

private enum Statements {
    static let removed = App.table.select("WHERE r.removed_at IS NOT NULL ORDER BY r.id")
    static let running = SQLStatement(
        "SELECT name FROM activities WHERE app = ?1 AND version > 0 AND ended_at IS NULL ORDER BY id DESC LIMIT 1")
    static let devices = SQLStatement("SELECT id FROM devices WHERE app = ?1 ORDER BY id LIMIT ?2")
    static let removeApp = SQLStatement("DELETE FROM apps WHERE id = ?1")

    /// Tables with rows that belong to one app, and their keys.
    static let tables = [
        ("arrivals", "id"), ("events", "id"), ("channels", "id"), ("operations", "id"), ("answers", "app, key"),
        ("audit", "app, number"), ("access_log", "app, number"), ("test_devices", "app, name"),
        ("identity_keys", "app, id"), ("identity_failures", "app, number"), ("vendor_records", "app, vendor, id"),
        ("segments", "app, name"), ("definitions", "app, name"), ("backend_names", "app, kind, name"),
        ("used_proofs", "app, hash"), ("type_schemas", "app, type, build"),
        ("type_profiles", "app, type"), ("webhooks", "id"), ("apns_keys", "app, environment"), ("app_usage", "app"),
        ("app_usage_parts", "app, writer"), ("person_changes", "app"),
        ("kept_counts", "app, activity, width, second, counter, detail"), ("kept_spans", "id"),
        ("kept_reports", "activity"),
        ("count_parts", "app, activity, width, second, counter, detail, writer"),
        ("kept_types", "app, name"), ("watched_activities", "app, name"), ("member_grants", "key"),
    ]
    /// Deliveries have no column for the app. They go before the webhooks by which they are found.
    static let deliveries = SQLStatement(
        """
        DELETE FROM webhook_deliveries WHERE (webhook, event) IN (SELECT d.webhook, d.event FROM webhooks w \
        JOIN webhook_deliveries d ON d.webhook = w.id WHERE w.app = ?1 LIMIT ?2)
        """)
    static let rows =
        [deliveries]
        + tables.map { table, key in
            SQLStatement(
                "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE app = ?1 LIMIT ?2)")
        }
}

extension SQLLedger {
    package func removedApps() throws -> [App] { try all(Statements.removed) }

    package func runningActivityName(of app: AppID) throws -> String? {
        try connection.rows(Statements.running, [SQLValue(app)]) { try $0.text() }.first
    }

    package func deviceIDs(of app: AppID, limit: Int) throws -> [DeviceID] {
        try connection.rows(Statements.devices, [SQLValue(app), SQLValue(limit)]) {
            DeviceID(rawValue: try $0.number())
        }
    }

    package func removeRows(of app: AppID, limit: Int) throws -> Int {
        memory?.forget()
        var removed = 0
        for statement in Statements.rows where removed < limit {
            removed += try connection.execute(statement, [SQLValue(app), SQLValue(limit - removed)])
        }
        return removed
    }

    package func removeApp(_ id: AppID) throws {
        changesAccess = true
        memory?.forget()
        try connection.queue(Statements.removeApp, [SQLValue(id)])
    }
}
