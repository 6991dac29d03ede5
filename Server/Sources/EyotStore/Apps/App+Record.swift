import APNSWire
import EyotDomain

extension App: SQLRecord {
    static let table = SQLTable(
        "apps", key: "id", fixed: ["created_at"],
        changing: ["bundle_id", "name", "public_key", "pause_reason", "pause_since"])

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(createdAt), SQLValue(bundleID), SQLValue(name), SQLValue(publicKey),
            SQLValue(pause?.reason.name), SQLValue(pause?.since),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = AppID(rawValue: try columns.number())
        let createdAt = try columns.moment()
        self.init(
            id: id, bundleID: try columns.text(), name: try columns.text(), publicKey: try columns.text(),
            pause: try AppPause(columns: &columns), createdAt: createdAt)
    }
}

extension AppPause {
    fileprivate init?(columns: inout SQLColumns) throws {
        let reason = try columns.optionalReason()
        let since = try columns.optionalMoment()
        guard let reason, let since else { return nil }
        self.init(reason: reason, since: since)
    }
}
