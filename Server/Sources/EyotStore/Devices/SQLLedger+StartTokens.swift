import EyotContract
import EyotDomain

private enum Statements {
    static let token = StartToken.table.select("WHERE r.device = ?1 AND r.type = ?2")
    static let tokensOfDevice = StartToken.table.select("WHERE r.device = ?1 ORDER BY r.type")
    static let holders = SQLStatement("SELECT device FROM start_tokens WHERE app = ?1 AND token = ?2")
    static let takeFromOthers = SQLStatement(
        "DELETE FROM start_tokens WHERE app = ?1 AND token = ?2 AND device <> ?3")
    /// The app comes last. A foreign key ensures that the device belongs to the app.
    static let put = SQLStatement(
        """
        INSERT INTO start_tokens (device, type, token, environment, set_at, death_reason, quarantined, os_version, app) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
        ON CONFLICT (device, type) DO UPDATE SET token = excluded.token, environment = excluded.environment, \
        set_at = excluded.set_at, death_reason = excluded.death_reason, quarantined = excluded.quarantined, \
        os_version = excluded.os_version
        """)
    static let remove = SQLStatement("DELETE FROM start_tokens WHERE device = ?1 AND type = ?2")
    static let dead = StartToken.table.select(
        """
        WHERE r.app = ?1 AND r.death_reason IS NOT NULL AND (r.device, r.type) > (?2, ?3) \
        ORDER BY r.device, r.type LIMIT ?4
        """)
    static let suspects = StartToken.table.select(
        "WHERE r.app = ?1 AND r.quarantined = 1 ORDER BY r.device, r.type LIMIT ?2")
}

extension SQLLedger {
    package func startToken(of device: DeviceID, type: String) throws -> StartToken? {
        try first(Statements.token, SQLValue(device), SQLValue(type))
    }

    package func startTokens(of device: DeviceID) throws -> [StartToken] {
        try all(Statements.tokensOfDevice, SQLValue(device))
    }

    package func devices(withStartToken token: PushToken, in app: AppID) throws -> [DeviceID] {
        let devices = try connection.rows(Statements.holders, [SQLValue(app), SQLValue(token.bytes)]) {
            try DeviceID(rawValue: $0.number())
        }
        // A device may have the token once for each of its types.
        return Set(devices).sorted { $0.rawValue < $1.rawValue }
    }

    package func put(_ token: StartToken, in app: AppID) throws {
        try connection.queue(
            Statements.takeFromOthers, [SQLValue(app), SQLValue(token.token.bytes), SQLValue(token.device)])
        try connection.queue(Statements.put, token.values + [SQLValue(app)])
    }

    package func removeStartToken(of device: DeviceID, type: String) throws {
        try connection.queue(Statements.remove, [SQLValue(device), SQLValue(type)])
    }

    package func suspectStartTokens(in app: AppID, limit: Int) throws -> [StartToken] {
        try all(Statements.suspects, SQLValue(app), SQLValue(limit))
    }

    package func deadStartTokens(
        in app: AppID, after device: DeviceID, type: String, limit: Int
    ) throws -> [StartToken] {
        try all(Statements.dead, SQLValue(app), SQLValue(device), SQLValue(type), SQLValue(limit))
    }
}
