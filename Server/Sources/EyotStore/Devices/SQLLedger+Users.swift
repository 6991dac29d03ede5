import EyotDomain

/// Tags belong to users. Each of a user's devices also has them in `device_tags`, which holds nothing of its own: it lies
/// in the order in which audiences are read, by tag and then by device.
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
        SELECT app, tag, ?1 FROM user_tags WHERE app = ?2 AND external_id = ?3
        """)
    static let clearTagsOfDevices = SQLStatement(
        """
        DELETE FROM device_tags WHERE device IN (SELECT id FROM devices WHERE app = ?1 AND external_id = ?2)
        """)
    static let tagDevices = SQLStatement(
        """
        INSERT INTO device_tags (app, tag, device) SELECT t.app, t.tag, d.id FROM user_tags t \
        JOIN devices d ON d.app = t.app AND d.external_id = t.external_id WHERE t.app = ?1 AND t.external_id = ?2
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

    /// Gives a device the tags of the user that it has now.
    func tag(_ device: Device) throws {
        try connection.execute(Statements.clearTagsOfDevice, [SQLValue(device.id)])
        guard let user = device.user else { return }
        try connection.execute(Statements.tagDevice, [SQLValue(device.id), SQLValue(device.app), SQLValue(user)])
    }
}
