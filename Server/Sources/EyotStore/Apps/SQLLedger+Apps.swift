import EyotContract
import EyotDomain

private enum Statements {
    static let noteAccessChange = SQLStatement(
        """
        INSERT INTO access_changes (only_row, number) VALUES (1, 1) \
        ON CONFLICT (only_row) DO UPDATE SET number = access_changes.number + 1
        """)
    static let app = App.table.select("WHERE r.id = ?1")
    static let appOfBundle = App.table.select("WHERE r.bundle_id = ?1 AND r.removed_at IS NULL")
    static let appOfPublicKey = App.table.select("WHERE r.public_key = ?1 AND r.removed_at IS NULL")
    static let apps = App.table.select("WHERE r.removed_at IS NULL ORDER BY r.id")
    static let insertApp = App.table.insertNew
    static let updateApp = App.table.update

    static let putAPNSKey = APNSKey.table.upsert
    static let removeAPNSKey = SQLStatement("DELETE FROM apns_keys WHERE app = ?1 AND environment = ?2")
    static let apnsKeys = APNSKey.table.select("WHERE r.app = ?1 ORDER BY r.environment")

    static let profile = TypeProfile.table.select("WHERE r.app = ?1 AND r.type = ?2")
    static let putProfile = TypeProfile.table.upsert

    static let insertAPIKey = APIKey.table.insertNew
    static let apiKey = APIKey.table.select("WHERE r.hash = ?1")
    static let apiKeyOfID = APIKey.table.select("WHERE r.id = ?1")
    static let clientKeys = APIKey.table.select(
        """
        WHERE r.plane = ?1 AND r.identifier = ?2 AND r.public_key IS NOT NULL AND r.revoked_at IS NULL \
        ORDER BY r.id DESC LIMIT ?3
        """)
    static let anyKey = SQLStatement("SELECT r.id FROM api_keys r WHERE r.plane = ?1 LIMIT 1")
    static let apiKeysOfApp = APIKey.table.select("WHERE r.app = ?1 ORDER BY r.id")
    static let operatorKeys = APIKey.table.select("WHERE r.app IS NULL ORDER BY r.id")
    static let updateAPIKey = APIKey.table.update
    static let removeAPIKey = SQLStatement("DELETE FROM api_keys WHERE id = ?1")
    static let noteUse = SQLStatement(
        "UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)")
}

extension SQLLedger {
    /// Tells other processes that keys or apps have changed.
    package func noteAccessChange() throws { try connection.queue(Statements.noteAccessChange, []) }

    package func app(_ id: AppID) throws -> App? {
        func read() throws -> App? { try first(Statements.app, SQLValue(id)) }
        return try memory.map { try $0.app(id, read) } ?? read()
    }

    package func app(bundleID: String) throws -> App? { try first(Statements.appOfBundle, SQLValue(bundleID)) }
    package func app(publicKey: String) throws -> App? { try first(Statements.appOfPublicKey, SQLValue(publicKey)) }
    package func apps() throws -> [App] { try all(Statements.apps) }

    package func insertApp(bundleID: String, name: String, publicKey: String, at now: Instant) throws -> App {
        var app = App(
            id: AppID(rawValue: 0), bundleID: bundleID, name: name, publicKey: publicKey, createdAt: now)
        app.id = AppID(rawValue: try insertNew(app, Statements.insertApp))
        changesAccess = true
        memory?.forget()
        return app
    }

    package func update(unrecorded app: App) throws {
        changesAccess = true
        memory?.forget()
        try update(app, Statements.updateApp)
    }

    package func put(_ key: APNSKey) throws {
        memory?.forget()
        try connection.queue(Statements.putAPNSKey, key.values)
    }

    package func removeAPNSKey(of app: AppID, _ environment: PushEnvironment) throws {
        memory?.forget()
        try connection.queue(Statements.removeAPNSKey, [SQLValue(app), SQLValue(environment)])
    }

    package func apnsKeys(of app: AppID) throws -> [APNSKey] {
        func read() throws -> [APNSKey] { try all(Statements.apnsKeys, SQLValue(app)) }
        return try memory.map { try $0.apnsKeys(of: app, read) } ?? read()
    }

    package func profile(of type: String, in app: AppID) throws -> TypeProfile? {
        func read() throws -> TypeProfile? { try first(Statements.profile, SQLValue(app), SQLValue(type)) }
        return try memory.map { try $0.profile(CommitMemory.TypeOfApp(app: app, type: type), read) } ?? read()
    }

    package func put(_ profile: TypeProfile) throws {
        memory?.forget()
        try connection.queue(Statements.putProfile, profile.values)
    }

    package func insert(_ key: APIKey) throws -> APIKey {
        var stored = key
        stored.id = try insertNew(key, Statements.insertAPIKey)
        changesAccess = true
        return stored
    }

    package func apiKey(hash: SecretHash) throws -> APIKey? { try first(Statements.apiKey, SQLValue(hash)) }

    package func apiKey(_ id: Int64) throws -> APIKey? { try first(Statements.apiKeyOfID, .integer(id)) }

    package func apiKeys(of plane: KeyPlane, identifier: String, limit: Int) throws -> [APIKey] {
        try all(Statements.clientKeys, .text(plane.rawValue), SQLValue(identifier), SQLValue(limit))
    }

    package func hasKeys(of plane: KeyPlane) throws -> Bool {
        try !connection.rows(Statements.anyKey, [.text(plane.rawValue)]) { try $0.number() }.isEmpty
    }

    package func apiKeys(of app: AppID?) throws -> [APIKey] {
        guard let app else { return try all(Statements.operatorKeys) }
        return try all(Statements.apiKeysOfApp, SQLValue(app))
    }

    package func update(_ key: APIKey) throws {
        changesAccess = true
        try update(key, Statements.updateAPIKey)
    }

    package func removeAPIKey(_ id: Int64) throws {
        changesAccess = true
        try connection.queue(Statements.removeAPIKey, [.integer(id)])
    }

    package func noteUse(ofAPIKey id: Int64, at moment: Instant) throws {
        changesAccess = true
        try connection.queue(Statements.noteUse, [.integer(id), SQLValue(moment)])
    }
}
