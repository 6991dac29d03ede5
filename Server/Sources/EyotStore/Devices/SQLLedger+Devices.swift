import EyotDomain

private enum Statements {
    static let device = Device.table.select("WHERE r.id = ?1")
    static let deviceOfInstallation = Device.table.select("WHERE r.app = ?1 AND r.installation = ?2")
    static let deviceOfSecret = Device.table.select(
        """
        WHERE r.secret_hash = ?1 \
        AND NOT EXISTS (SELECT 1 FROM apps a WHERE a.id = r.app AND a.removed_at IS NOT NULL)
        """)
    static let insert = Device.table.insertNew
    static let update = Device.table.update
    static let advance = SQLStatement(
        "UPDATE devices SET sequence = ?3, seen_at = ?4 WHERE id = ?1 AND epoch = ?2 AND sequence < ?3")
    static let setSecret = SQLStatement("UPDATE devices SET secret_hash = ?2 WHERE id = ?1")
    static let forget = SQLStatement("UPDATE devices SET installation = ?2, secret_hash = NULL WHERE id = ?1")
    static let removeStartTokens = SQLStatement("DELETE FROM start_tokens WHERE device = ?1")
    static let user = SQLStatement("SELECT external_id FROM devices WHERE id = ?1")
    static let formerlyOf = SQLStatement(
        "SELECT id FROM devices WHERE app = ?1 AND former_user = ?2 ORDER BY id LIMIT ?3")
}

extension SQLLedger {
    package func device(_ id: DeviceID) throws -> Device? { try first(Statements.device, SQLValue(id)) }

    package func device(installation: String, in app: AppID) throws -> Device? {
        try first(Statements.deviceOfInstallation, SQLValue(app), SQLValue(installation))
    }

    package func device(secret: SecretHash) throws -> Device? {
        try first(Statements.deviceOfSecret, SQLValue(secret))
    }

    package func insert(_ new: NewDevice) throws -> Device {
        var device = new.stored(as: DeviceID(rawValue: 0))
        device.id = DeviceID(rawValue: try insertNew(device, Statements.insert))
        if device.user != nil { try take(device) }
        try add(AppUsage(devices: 1), to: device.app)
        return device
    }

    package func devices(formerlyOf user: String, in app: AppID, limit: Int) throws -> [DeviceID] {
        try connection.rows(Statements.formerlyOf, [SQLValue(app), SQLValue(user), SQLValue(limit)]) {
            DeviceID(rawValue: try $0.number())
        }
    }

    package func update(_ device: Device) throws {
        let user = try connection.rows(Statements.user, [SQLValue(device.id)]) { try $0.optionalText() }
        try update(device, Statements.update)
        if let former = user.first, former != device.user { try take(device) }
    }

    package func advance(_ device: DeviceID, epoch: Int, to sequence: Int, at now: Instant) throws -> Bool {
        try connection.execute(
            Statements.advance, [SQLValue(device), SQLValue(epoch), SQLValue(sequence), SQLValue(now)]) == 1
    }

    package func setSecret(_ hash: SecretHash, of device: DeviceID) throws {
        try changeRow(of: Device.table, Statements.setSecret, [SQLValue(device), SQLValue(hash)])
    }

    package func forget(_ device: Device) throws {
        try update(device, Statements.update)
        // An id of Eyot's own replaces the installation. No phone registers with it, and it reveals nothing.
        try changeRow(
            of: Device.table, Statements.forget, [SQLValue(device.id), SQLValue("\u{1}\(device.id.rawValue)")])
        try connection.queue(Statements.removeStartTokens, [SQLValue(device.id)])
        try removeTraits(of: device.id)
    }

    package func devices(
        in audience: Audience, of app: AppID, after id: DeviceID, limit: Int
    ) throws -> [Device] {
        var devices: [Device] = []
        try forEachQuery(of: audience, in: app, .init(id: id, limit: limit)) { query in
            let found = try connection.rows(query.statement, query.arguments, Device.init(columns:))
            // Among candidates a statement reads in no order.
            devices += found.sorted { $0.id.rawValue < $1.id.rawValue }
            return found.count
        }
        return devices
    }
}
