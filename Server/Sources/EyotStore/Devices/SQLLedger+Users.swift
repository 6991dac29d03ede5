import EyotContract
import EyotDomain

/// Tags belong to users and to devices. All that a device has, its own and those of its user, stand in `device_tags`, which holds
/// nothing of its own: it lies in the order in which audiences are read, by tag and then by device.
private enum Statements {
    static let user = SQLStatement("SELECT external_id FROM users WHERE app = ?1 AND external_id = ?2")
    static let tagsOfUser = SQLStatement(
        "SELECT tag FROM user_tags WHERE app = ?1 AND external_id = ?2 ORDER BY tag")
    static let putUser = SQLStatement(
        "INSERT INTO users (app, external_id) VALUES (?1, ?2) ON CONFLICT (app, external_id) DO NOTHING")
    static let clearTags = SQLStatement("DELETE FROM user_tags WHERE app = ?1 AND external_id = ?2")
    static let addTag = SQLStatement("INSERT INTO user_tags (app, external_id, tag) VALUES (?1, ?2, ?3)")

    static let clearTagsOfDevice = SQLStatement("DELETE FROM device_tags WHERE device = ?1")
    static let tagDevice = SQLStatement(
        """
        INSERT INTO device_tags (app, tag, device) \
        SELECT app, tag, ?1 FROM user_tags WHERE app = ?2 AND external_id = ?3 \
        UNION SELECT app, tag, device FROM device_own_tags WHERE device = ?1
        """)
    static let clearTagsOfDevices = SQLStatement(
        """
        DELETE FROM device_tags WHERE device IN (SELECT id FROM devices WHERE app = ?1 AND external_id = ?2)
        """)
    static let tagDevices = SQLStatement(
        """
        INSERT INTO device_tags (app, tag, device) SELECT t.app, t.tag, d.id FROM user_tags t \
        JOIN devices d ON d.app = t.app AND d.external_id = t.external_id WHERE t.app = ?1 AND t.external_id = ?2 \
        UNION SELECT o.app, o.tag, o.device FROM devices d JOIN device_own_tags o ON o.device = d.id \
        WHERE d.app = ?1 AND d.external_id = ?2
        """)
    static let ownTags = SQLStatement("SELECT tag FROM device_own_tags WHERE device = ?1")
    static let clearOwnTags = SQLStatement("DELETE FROM device_own_tags WHERE device = ?1")
    static let addOwnTag = SQLStatement("INSERT INTO device_own_tags (device, tag, app) VALUES (?1, ?2, ?3)")
    static let attributes = SQLStatement("SELECT attributes FROM device_attributes WHERE device = ?1")
    static let putAttributes = SQLStatement(
        """
        INSERT INTO device_attributes (device, app, attributes) VALUES (?1, ?2, ?3) \
        ON CONFLICT (device) DO UPDATE SET attributes = excluded.attributes
        """)
}

extension SQLLedger {
    package func user(_ externalID: String, in app: AppID) throws -> User? {
        let key = [SQLValue(app), SQLValue(externalID)]
        guard try !connection.rows(Statements.user, key, { try $0.text() }).isEmpty else { return nil }
        let tags = try connection.rows(Statements.tagsOfUser, key) { try $0.text() }
        return User(app: app, externalID: externalID, tags: Set(tags))
    }

    package func put(_ user: User) throws {
        let key = [SQLValue(user.app), SQLValue(user.externalID)]
        try connection.execute(Statements.putUser, key)
        try connection.execute(Statements.clearTags, key)
        for tag in user.tags.sorted() { try connection.execute(Statements.addTag, key + [SQLValue(tag)]) }
        try connection.execute(Statements.clearTagsOfDevices, key)
        try connection.execute(Statements.tagDevices, key)
    }

    /// Gives a device its own tags and those of the user that it has now.
    func tag(_ device: Device) throws {
        try connection.execute(Statements.clearTagsOfDevice, [SQLValue(device.id)])
        try connection.execute(
            Statements.tagDevice, [SQLValue(device.id), SQLValue(device.app), SQLValue(device.user)])
    }

    package func deviceProfile(of device: DeviceID) throws -> DeviceProfile {
        let key = [SQLValue(device)]
        let attributes = try connection.rows(Statements.attributes, key) { try $0.text() }.first
        var profile =
            try attributes.map { try DeviceProfile(json: JSONValue(parsing: Array($0.utf8))) } ?? DeviceProfile()
        profile.tags = Set(try connection.rows(Statements.ownTags, key) { try $0.text() })
        return profile
    }

    package func put(_ profile: DeviceProfile, of device: Device) throws {
        let key = SQLValue(device.id)
        try connection.execute(Statements.clearOwnTags, [key])
        for tag in profile.tags.sorted() {
            try connection.execute(Statements.addOwnTag, [key, SQLValue(tag), SQLValue(device.app)])
        }
        let attributes = DeviceProfile(attributes: profile.attributes).json.text
        try connection.execute(Statements.putAttributes, [key, SQLValue(device.app), SQLValue(attributes)])
        try tag(device)
    }
}
