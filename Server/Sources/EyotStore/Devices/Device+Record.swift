import EyotContract
import EyotDomain

extension Device: SQLRecord {
    static let table = SQLTable(
        "devices", key: "id", fixed: ["app", "installation", "created_at"],
        changing: [
            "environment", "os_major", "os_minor", "app_version", "app_version_order", "activities_enabled",
            "frequent_pushes_enabled",
            "external_id", "epoch", "sequence", "seen_at", "forgotten", "proven", "language", "imported",
            "user_since", "former_user", "proven_by", "person_number",
        ])

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(app), SQLValue(installation), SQLValue(createdAt), SQLValue(environment),
            SQLValue(osVersion.major), SQLValue(osVersion.minor), SQLValue(appVersion),
            SQLValue(AppVersion(appVersion)?.order ?? ""),
            SQLValue(permissions.activities), SQLValue(permissions.frequentPushes), SQLValue(user), SQLValue(epoch),
            SQLValue(sequence), SQLValue(seenAt), SQLValue(isForgotten), SQLValue(isProven), SQLValue(language),
            SQLValue(isImported), SQLValue(userSince), SQLValue(formerUser), SQLValue(provenBy), SQLValue(personNumber),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = DeviceID(rawValue: try columns.number())
        let app = AppID(rawValue: try columns.number())
        let installation = try columns.text()
        let createdAt = try columns.moment()
        let environment = try columns.word(PushEnvironment.self)
        let osVersion = OSVersion(try columns.integer(), try columns.integer())
        let appVersion = try columns.text()
        // Computed from the version, for comparisons in SQL.
        _ = try columns.text()
        self.init(
            id: id, app: app, installation: installation, environment: environment, osVersion: osVersion,
            appVersion: appVersion,
            permissions: DevicePermissions(activities: try columns.flag(), frequentPushes: try columns.flag()),
            user: try columns.optionalText(), epoch: try columns.integer(), sequence: try columns.integer(),
            createdAt: createdAt, seenAt: try columns.moment())
        isForgotten = try columns.flag()
        isProven = try columns.flag()
        language = try columns.optionalText()
        isImported = try columns.flag()
        userSince = try columns.optionalMoment()
        formerUser = try columns.optionalText()
        provenBy = try columns.optionalText()
        personNumber = try columns.integer()
    }
}
