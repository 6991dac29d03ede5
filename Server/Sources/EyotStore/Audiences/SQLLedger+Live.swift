import EyotDomain

private enum Statements {
    static let one = LiveAudience.table.select("WHERE r.activity = ?1 AND r.attributes_version = ?2")
    static let ofApp = LiveAudience.table.select("WHERE r.app = ?1 ORDER BY r.activity, r.attributes_version LIMIT ?2")
    static let unlooked = LiveAudience.table.select(
        "WHERE r.looked IS NOT NULL AND r.activity > 0 ORDER BY r.activity, r.attributes_version LIMIT ?1")
    static let put = LiveAudience.table.upsert
    static let remove = SQLStatement("DELETE FROM live_audiences WHERE activity = ?1 AND attributes_version = ?2")
    static let note = SQLStatement("INSERT INTO changed_devices (device) VALUES (?1) ON CONFLICT (device) DO NOTHING")
    static let changed = SQLStatement("SELECT device FROM changed_devices WHERE number > 0 ORDER BY number LIMIT ?1")
    static let removeChanged = SQLStatement("DELETE FROM changed_devices WHERE device = ?1")
}

extension SQLLedger {
    package func liveAudience(of activity: ActivityID, version: Version) throws -> LiveAudience? {
        try first(Statements.one, SQLValue(activity), SQLValue(version))
    }

    package func liveAudiences(of app: AppID, limit: Int) throws -> [LiveAudience] {
        try all(Statements.ofApp, SQLValue(app), SQLValue(limit))
    }

    package func unlookedLiveAudiences(limit: Int) throws -> [LiveAudience] {
        try all(Statements.unlooked, SQLValue(limit))
    }

    package func put(_ live: LiveAudience) throws { try connection.queue(Statements.put, live.values) }

    package func remove(_ live: LiveAudience) throws {
        try connection.queue(
            Statements.remove, [SQLValue(live.activity), SQLValue(live.start.attributesVersion)])
    }

    package func noteChanged(_ device: DeviceID) throws {
        try connection.queue(Statements.note, [SQLValue(device)])
    }

    package func changedDevices(limit: Int) throws -> [DeviceID] {
        try connection.rows(Statements.changed, [SQLValue(limit)]) { DeviceID(rawValue: try $0.number()) }
    }

    package func removeChanged(_ device: DeviceID) throws {
        try connection.queue(Statements.removeChanged, [SQLValue(device)])
    }
}

extension LiveAudience: SQLRecord {
    static let table = SQLTable(
        "live_audiences", key: "activity", "attributes_version", fixed: ["app"],
        changing: [
            "audience", "most", "scoped", "alerted", "starts_at", "forced", "restarts_dismissed", "as_of", "started",
            "looked",
        ])

    var values: [SQLValue] {
        [
            SQLValue(activity), SQLValue(start.attributesVersion), SQLValue(app), SQLValue(asked.audience),
            SQLValue(asked.limit), SQLValue(start.isScoped), SQLValue(start.alerted), SQLValue(start.startsAt),
            SQLValue(start.isForced), SQLValue(start.restartsDismissed), SQLValue(start.asOf), SQLValue(started),
            SQLValue(looked),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let activity = ActivityID(rawValue: try columns.number())
        let version = try columns.integer()
        let app = AppID(rawValue: try columns.number())
        let asked = Terms(audience: try columns.json(), limit: try columns.integer())
        let (isScoped, alerted, startsAt) = (try columns.flag(), try columns.integer(), try columns.moment())
        let (isForced, restartsDismissed) = (try columns.flag(), try columns.flag())
        self.init(
            app: app, activity: activity, asked: asked,
            start: StartTerms(
                attributesVersion: version, isScoped: isScoped, alerted: alerted, startsAt: startsAt,
                isForced: isForced, restartsDismissed: restartsDismissed))
        start.asOf = try columns.optionalMoment()
        started = try columns.integer()
        looked = try columns.optionalNumber().map { DeviceID(rawValue: $0) }
    }
}
