import EyotContract
import EyotDomain

private enum Statements {
    static let user = SQLStatement("SELECT attributes FROM users WHERE app = ?1 AND external_id = ?2")
    static let users = SQLStatement(
        "SELECT external_id FROM users WHERE app = ?1 AND external_id > ?2 ORDER BY external_id LIMIT ?3")
    static let userOfAlias = SQLStatement(
        "SELECT external_id FROM user_aliases WHERE app = ?1 AND label = ?2 AND name = ?3")
    static let tags = SQLStatement("SELECT tag, tag_group FROM user_tags WHERE app = ?1 AND external_id = ?2")
    static let aliases = SQLStatement("SELECT label, name FROM user_aliases WHERE app = ?1 AND external_id = ?2")
    static let put = SQLStatement(
        """
        INSERT INTO users (app, external_id, attributes) VALUES (?1, ?2, ?3) \
        ON CONFLICT (app, external_id) DO UPDATE SET attributes = excluded.attributes
        """)
    static let clearTags = SQLStatement("DELETE FROM user_tags WHERE app = ?1 AND external_id = ?2")
    static let addTag = SQLStatement(
        "INSERT INTO user_tags (app, external_id, tag, tag_group) VALUES (?1, ?2, ?3, ?4)")
    static let clearAliases = SQLStatement("DELETE FROM user_aliases WHERE app = ?1 AND external_id = ?2")
    static let addAlias = SQLStatement(
        "INSERT INTO user_aliases (app, external_id, label, name) VALUES (?1, ?2, ?3, ?4)")
    static let remove = SQLStatement("DELETE FROM users WHERE app = ?1 AND external_id = ?2")
    static let devices = SQLStatement("SELECT id FROM devices WHERE app = ?1 AND external_id = ?2 ORDER BY id")
}

/// The rows of users. Their tags and attribute values are also kept with their devices, where audiences look for them.
extension SQLLedger {
    package func user(_ externalID: String, in app: AppID) throws -> User? {
        let key = [SQLValue(app), SQLValue(externalID)]
        guard let attributes = try connection.rows(Statements.user, key, { try $0.attributes() }).first else {
            return nil
        }
        let tags = try connection.rows(Statements.tags, key) { try $0.tag() }
        let aliases = try connection.rows(Statements.aliases, key) { (try $0.text(), try $0.text()) }
        return User(
            app: app, externalID: externalID, traits: Traits(tags, attributes: attributes),
            aliases: Dictionary(uniqueKeysWithValues: aliases))
    }

    package func users(in app: AppID, after externalID: String, limit: Int) throws -> [User] {
        try connection.rows(Statements.users, [SQLValue(app), SQLValue(externalID), SQLValue(limit)]) { try $0.text() }
            .compactMap { try user($0, in: app) }
    }

    package func user(of alias: UserAlias, in app: AppID) throws -> String? {
        try connection.rows(Statements.userOfAlias, [SQLValue(app), SQLValue(alias.label), SQLValue(alias.name)]) {
            try $0.text()
        }.first
    }

    package func put(_ user: User) throws {
        let key = [SQLValue(user.app), SQLValue(user.externalID)]
        let former = try self.user(user.externalID, in: user.app)
        guard former != user else { return }
        let (old, new) = (former?.traits ?? Traits(), user.traits)
        try note(new, after: old, in: user.app)
        if former == nil || old.attributes != new.attributes {
            try connection.queue(Statements.put, key + [SQLValue(attributes: new.attributes)])
        }
        if former?.aliases ?? [:] != user.aliases {
            try connection.queue(Statements.clearAliases, key)
            for (label, name) in user.aliases.sorted(by: { $0.key < $1.key }) {
                try connection.queue(Statements.addAlias, key + [SQLValue(label), SQLValue(name)])
            }
        }
        let tags = new.allTags
        guard tags != old.allTags || new.attributes != old.attributes else { return }
        if tags != old.allTags {
            try connection.queue(Statements.clearTags, key)
            for tag in tags {
                try connection.queue(Statements.addTag, key + [SQLValue(tag.name), SQLValue(tag.group ?? "")])
            }
        }
        for device in try devices(of: user.externalID, in: user.app) {
            if tags != old.allTags { try tag(device, of: user.externalID, in: user.app) }
            if new.attributes != old.attributes {
                try set(new.attributes, ofUserOf: device, in: user.app)
            }
        }
    }

    package func removeUser(_ externalID: String, of app: AppID) throws {
        let key = [SQLValue(app), SQLValue(externalID)]
        for statement in [Statements.clearAliases, Statements.clearTags, Statements.remove] {
            try connection.queue(statement, key)
        }
        for device in try devices(of: externalID, in: app) {
            try tag(device, of: externalID, in: app)
            try set([:], ofUserOf: device, in: app)
        }
    }

    private func devices(of externalID: String, in app: AppID) throws -> [DeviceID] {
        try connection.rows(Statements.devices, [SQLValue(app), SQLValue(externalID)]) {
            DeviceID(rawValue: try $0.number())
        }
    }

    /// Gives a device the tags and attributes of its present user.
    func take(_ device: Device) throws {
        try tag(device.id, of: device.user, in: device.app)
        let user = try device.user.flatMap { user in
            try connection.rows(Statements.user, [SQLValue(device.app), SQLValue(user)]) { try $0.attributes() }.first
        }
        try set(user ?? [:], ofUserOf: device.id, in: device.app)
    }
}
