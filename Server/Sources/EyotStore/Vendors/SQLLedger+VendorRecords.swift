import EyotContract
import EyotDomain

private enum Statements {
    static let record = VendorRecord.table.select("WHERE r.app = ?1 AND r.vendor = ?2 AND r.id = ?3")
    static let naming = SQLStatement(
        """
        SELECT vendor, id FROM vendor_records \
        WHERE app = ?1 AND (vendor, id) > (?2, ?3) AND users LIKE ?4 ESCAPE '\\' ORDER BY vendor, id LIMIT ?5
        """)
    static let put = VendorRecord.table.upsert
    static let forget = SQLStatement(
        """
        DELETE FROM vendor_records WHERE (app, vendor, id) IN \
        (SELECT app, vendor, id FROM vendor_records WHERE vendor = ?1 AND ends_at < ?2 ORDER BY ends_at LIMIT ?3)
        """)
}

extension SQLLedger {
    package func vendorRecord(_ key: VendorRecord.Key, in app: AppID) throws -> VendorRecord? {
        try first(Statements.record, SQLValue(app), SQLValue(key.vendor.rawValue), SQLValue(key.id))
    }

    package func vendorRecords(
        naming user: String, in app: AppID, after key: VendorRecord.Key?, limit: Int
    ) throws -> [VendorRecord.Key] {
        let arguments = [
            SQLValue(app), SQLValue(key?.vendor.rawValue ?? ""), SQLValue(key?.id ?? ""), SQLValue(listing: user),
            SQLValue(limit),
        ]
        return try connection.rows(Statements.naming, arguments) {
            VendorRecord.Key(vendor: KeyPlane(rawValue: try $0.text()), id: try $0.text())
        }
    }

    package func put(_ record: VendorRecord) throws { try connection.queue(Statements.put, record.values) }

    package func forgetVendorRecords(of vendor: KeyPlane, endedBefore moment: Instant, limit: Int) throws {
        try connection.queue(Statements.forget, [SQLValue(vendor.rawValue), SQLValue(moment), SQLValue(limit)])
    }
}

extension VendorRecord: SQLRecord {
    static let table = SQLTable(
        "vendor_records", key: "app", "vendor", "id", changing: ["users", "content", "ends_at"])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(vendor.rawValue), SQLValue(id),
            SQLValue(JSONValue.array(users.map(JSONValue.string)).text), SQLValue(content.text), SQLValue(endsAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let app = AppID(rawValue: try columns.number())
        let (vendor, id) = (KeyPlane(rawValue: try columns.text()), try columns.text())
        let users = try JSONValue(parsing: Array(columns.text().utf8)).array?.compactMap(\.string) ?? []
        let content = try JSONValue(parsing: Array(columns.text().utf8))
        self.init(app: app, vendor: vendor, id: id, users: users, content: content, endsAt: try columns.moment())
    }
}
