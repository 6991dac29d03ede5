import EyotContract
import EyotDomain

private enum Statements {
    static let insert = Channel.table.insertNew
    static let update = Channel.table.update
    static let remove = SQLStatement("DELETE FROM channels WHERE id = ?1")
    static let channel = Channel.table.select("WHERE r.id = ?1")
    static let ofActivity = Channel.table.select("WHERE r.activity = ?1 ORDER BY r.environment, r.id")
    static let ofApp = Channel.table.select("WHERE r.app = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3")
    static let free = Channel.table.select(
        """
        WHERE r.app = ?1 AND r.environment = ?2 AND r.phase = 'resting' AND r.free_at <= ?3 \
        ORDER BY r.free_at, r.id LIMIT 1
        """)
    static let count = SQLStatement(
        """
        SELECT COUNT(*) FROM channels \
        WHERE app = ?1 AND environment = ?2 AND phase IN ('wanted', 'leased', 'resting', 'deleting')
        """)
    /// Asked app by app, like what is due of activities. Channels of halted activities are skipped one by one, whether
    /// or not a broadcast is due. The activities are counted, because a database might otherwise read all halted ones
    /// to exclude them.
    static func dueBroadcasts(haltedTypes count: Int) -> SQLStatement {
        let ofType = count > 0 ? " OR a.type IN (\((0..<count).map { "?\($0 + 7)" }.joined(separator: ", ")))" : ""
        let text = Channel.table.selectText(
            """
            WHERE r.app = ?1 AND r.phase = 'leased' AND r.environment = ?4 AND r.due_at <= ?2 \
            AND (SELECT COUNT(*) FROM activities a WHERE a.id = r.activity \
            AND (a.ended_at IS NULL OR a.ended_at > ?5) AND (a.halted_at IS NOT NULL\(ofType))) = 0 AND \(isIn(shards: 6, "r.activity")) \
            ORDER BY r.due_at, r.id LIMIT ?3
            """)
        return count == 0 ? SQLStatement(text) : SQLStatement(composed: text)
    }

    static let broadcastsDueBetween = Channel.table.select(
        """
        WHERE r.app = ?1 AND r.phase = 'leased' AND r.environment = ?4 AND r.due_at > ?2 AND r.due_at <= ?5 \
        ORDER BY r.due_at, r.id LIMIT ?3
        """)
    static let upkeepDueBetween = Channel.table.select(
        """
        WHERE r.app = ?1 AND r.phase <> 'leased' AND r.environment = ?4 AND r.due_at > ?2 AND r.due_at <= ?5 \
        ORDER BY r.due_at, r.id LIMIT ?3
        """)

    static let dueUpkeep = Channel.table.select(
        """
        WHERE r.app = ?1 AND r.phase <> 'leased' AND r.environment = ?4 AND r.due_at <= ?2 \
        AND \(isIn(shards: 5, "r.activity")) ORDER BY r.due_at, r.id LIMIT ?3
        """)
}

extension SQLLedger {
    package func insert(_ channel: Channel) throws -> Channel {
        var stored = channel
        stored.id = ChannelID(rawValue: try insertNew(channel, Statements.insert))
        return stored
    }

    package func update(_ channel: Channel) throws { try update(channel, Statements.update) }

    package func removeChannel(_ id: ChannelID) throws {
        try connection.queue(Statements.remove, [.integer(id.rawValue)])
    }

    package func channel(_ id: ChannelID) throws -> Channel? { try first(Statements.channel, .integer(id.rawValue)) }

    package func channels(of activity: ActivityID) throws -> [Channel] {
        try all(Statements.ofActivity, SQLValue(activity))
    }

    package func channels(in app: AppID, after id: ChannelID, limit: Int) throws -> [Channel] {
        try all(Statements.ofApp, SQLValue(app), .integer(id.rawValue), SQLValue(limit))
    }

    package func freeChannel(of app: AppID, in environment: PushEnvironment, at now: Instant) throws -> Channel? {
        try first(Statements.free, SQLValue(app), SQLValue(environment), SQLValue(now))
    }

    package func channelCount(of app: AppID, in environment: PushEnvironment) throws -> Int {
        try connection.rows(Statements.count, [SQLValue(app), SQLValue(environment)]) { Int(try $0.number()) }.first
            ?? 0
    }

    package func dueChannels(
        for errand: Channel.Errand, at now: Instant, share: Int, limit: Int, in shards: Shards
    ) throws -> [Channel] {
        let environment = errand.environment
        var apps = try appsThatSend().filter { $0.isSending(in: environment) }
        // A removed app's channels are deleted before its keys go.
        if case .upkeep = errand { apps += try removedApps() }
        let found = try apps.map { app -> [Channel] in
            let common = [SQLValue(app.id), SQLValue(now), SQLValue(share), SQLValue(environment)]
            guard case .broadcast = errand else {
                return try connection.rows(Statements.dueUpkeep, common + [SQLValue(shards)]) {
                    try Channel(columns: &$0)
                }
            }
            let types = app.haltedTypes.keys.sorted().map { SQLValue($0) }
            return try connection.rows(
                Statements.dueBroadcasts(haltedTypes: types.count),
                common + [SQLValue(now - Channel.endReach), SQLValue(shards)] + types
            ) { try Channel(columns: &$0) }
        }
        return Channel.byTurns(found, limit: limit)
    }

    package func channelsDue(
        for errand: Channel.Errand, of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) throws -> [Channel] {
        var statement = Statements.upkeepDueBetween
        if case .broadcast = errand { statement = Statements.broadcastsDueBetween }
        return try all(
            statement, SQLValue(app), SQLValue(now), SQLValue(limit), SQLValue(errand.environment), SQLValue(moment))
    }
}
