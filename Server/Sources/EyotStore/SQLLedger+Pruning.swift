import EyotDomain

/// Old rows are found in the order of their keys, or by an index with another purpose. Two indices serve only this, and
/// each changes once in a row's life. One has ended activities. The other has operations by their age, because a wrong
/// clock may give an older age to a higher key.
private enum Statements {
    static let removeOperations = SQLStatement(
        """
        DELETE FROM operations WHERE id IN \
        (SELECT o.id FROM operations o WHERE o.pending = 0 AND o.accepted_at < ?1 ORDER BY o.accepted_at, o.id LIMIT ?2)
        """)
    static let ended = SQLStatement(
        "SELECT id FROM activities WHERE ended_at < ?1 ORDER BY ended_at, id LIMIT ?2")
    static let removeReplicas = removeLast("replicas")
    /// The echoes of the replicas that the next statement removes.
    static let removeEchoes = removeLast("echoes")

    private static func removeLast(_ table: String) -> SQLStatement {
        SQLStatement(
            """
            DELETE FROM \(table) WHERE activity = ?1 \
            AND ordinal IN (SELECT ordinal FROM replicas WHERE activity = ?1 ORDER BY ordinal DESC LIMIT ?2)
            """)
    }

    static let removeDeclarations = SQLStatement(
        """
        DELETE FROM declarations WHERE activity = ?1 \
        AND version IN (SELECT version FROM declarations WHERE activity = ?1 ORDER BY version LIMIT ?2)
        """)
    static let removeRingPages = SQLStatement("DELETE FROM ring_pages WHERE activity = ?1")
    static let removeUpdatedCards = SQLStatement("DELETE FROM updated_cards WHERE activity = ?1")
    /// Removes only channels that Apple does not have. Other channels rest first.
    static let removeChannels = SQLStatement(
        "DELETE FROM channels WHERE activity = ?1 AND phase IN ('lost', 'wanted')")
    static let removeBuilds = SQLStatement("DELETE FROM activity_builds WHERE activity = ?1")
    static let removeLiveAudiences = SQLStatement("DELETE FROM live_audiences WHERE activity = ?1")
    static let removeJoinSecret = SQLStatement("DELETE FROM join_secrets WHERE activity = ?1")
    static let removeAlertMarks = SQLStatement("DELETE FROM alert_marks WHERE activity = ?1")
    static let removeActivity = SQLStatement("DELETE FROM activities WHERE id = ?1")
    static let activities = Activity.table.select("WHERE r.id > ?1 ORDER BY r.id LIMIT ?2")
    static let declarations = Declaration.table.select(
        "WHERE r.activity = ?1 AND r.version > ?2 ORDER BY r.version LIMIT ?3")
    static let removeDeclaration = SQLStatement("DELETE FROM declarations WHERE activity = ?1 AND version = ?2")
    static let devices = Device.table.select("WHERE r.id > ?1 ORDER BY r.id LIMIT ?2")
    static let hasReplicas = SQLStatement("SELECT ordinal FROM replicas WHERE device = ?1 LIMIT 1")
    static let removeDevice = SQLStatement("DELETE FROM devices WHERE id = ?1")
}

extension SQLLedger {
    package func removeOperations(acceptedBefore moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.removeOperations, [SQLValue(moment), SQLValue(limit)])
    }

    package func endedActivities(before moment: Instant, limit: Int) throws -> [ActivityID] {
        try connection.rows(Statements.ended, [SQLValue(moment), SQLValue(limit)]) {
            ActivityID(rawValue: try $0.number())
        }
    }

    package func removeReplicas(of activity: ActivityID, limit: Int) throws -> Int {
        let last = [SQLValue(activity), SQLValue(limit)]
        try connection.queue(Statements.removeEchoes, last)
        return try connection.execute(Statements.removeReplicas, last)
    }

    package func removeDeclarations(of activity: ActivityID, limit: Int) throws -> Int {
        try connection.execute(Statements.removeDeclarations, [SQLValue(activity), SQLValue(limit)])
    }

    package func removeActivity(_ id: ActivityID) throws {
        try connection.queue(Statements.removeRingPages, [SQLValue(id)])
        try connection.queue(Statements.removeUpdatedCards, [SQLValue(id)])
        try connection.queue(Statements.removeAlertMarks, [SQLValue(id)])
        try connection.queue(Statements.removeChannels, [SQLValue(id)])
        try connection.queue(Statements.removeBuilds, [SQLValue(id)])
        try connection.queue(Statements.removeLiveAudiences, [SQLValue(id)])
        try connection.queue(Statements.removeJoinSecret, [SQLValue(id)])
        try connection.queue(Statements.removeActivity, [SQLValue(id)])
    }

    package func activities(after id: ActivityID, limit: Int) throws -> [Activity] {
        try all(Statements.activities, SQLValue(id), SQLValue(limit))
    }

    package func declarations(of activity: ActivityID, after version: Version, limit: Int) throws -> [Declaration] {
        try all(Statements.declarations, SQLValue(activity), SQLValue(version), SQLValue(limit))
    }

    package func removeDeclaration(_ version: Version, of activity: ActivityID) throws {
        try connection.queue(Statements.removeDeclaration, [SQLValue(activity), SQLValue(version)])
    }

    package func devices(after id: DeviceID, limit: Int) throws -> [Device] {
        try all(Statements.devices, SQLValue(id), SQLValue(limit))
    }

    package func removeDevice(_ id: DeviceID) throws {
        guard try connection.rows(Statements.hasReplicas, [SQLValue(id)], { try $0.integer() }).isEmpty else { return }
        guard let device = try device(id) else { return }
        try removeTraits(of: id)
        try connection.queue(Statements.removeDevice, [SQLValue(id)])
        try add(AppUsage(devices: -1), to: device.app)
    }
}
