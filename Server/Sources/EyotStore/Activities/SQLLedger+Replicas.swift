import EyotDomain

/// Conditions on the activity are subqueries instead of joins. With a join SQLite may begin with the activity, and read
/// a million replicas where the device has two.
private enum Statements {
    static let insert = Replica.table.insert(
        adding: Replica.joined(inRing: Replica.table.columns.count + 1),
        Replica.suspectOf(Replica.table.columns.count + 2))
    static let update = Replica.table.update(
        Replica.table.changing,
        adding: [Replica.joined(inRing: changed + 1), Replica.suspectOf(changed + 2)])
    static let progress = Replica.table.update(
        Replica.progress, adding: [Replica.joined(inRing: Replica.table.key.count + Replica.progress.count + 1)])
    static let replica = Replica.select("WHERE r.activity = ?1 AND r.ordinal = ?2")
    static let replicaOfInstance = Replica.select("WHERE r.device = ?1 AND r.instance = ?2")
    static let allLive = SQLStatement(
        "SELECT COUNT(*), SUM(CASE WHEN phase = 'live' THEN 1 ELSE 0 END) FROM replicas WHERE activity = ?1")
    static let page = Replica.select("WHERE r.activity = ?1 AND r.ordinal > ?2 ORDER BY r.ordinal LIMIT ?3")
    /// A later generation of a name has a higher id.
    static let ofName = Replica.select(
        """
        WHERE r.device = ?1 AND r.activity IN (SELECT a.id FROM activities a WHERE a.app = ?2 AND a.name = ?3) \
        ORDER BY r.activity DESC, r.ordinal
        """)
    static let ofDevice = Replica.select(
        """
        WHERE r.device = ?1 AND (r.activity, r.ordinal) > (?2, ?3) ORDER BY r.activity, r.ordinal LIMIT ?4
        """)
    static let runningOfType = Replica.select(
        """
        WHERE r.device = ?1 AND (r.phase IN ('starting', 'waitingForToken', 'live', 'untracked') \
        OR r.phase = 'dead' AND r.phase_reason <> 'unlisted') \
        AND EXISTS (SELECT 1 FROM activities a WHERE a.id = r.activity AND a.app = ?2 AND a.type = ?3) \
        ORDER BY r.activity, r.ordinal
        """)
    static let remoteStarts = Replica.select(
        "WHERE r.device = ?1 AND r.starts_at > ?2 AND r.starts_at < ?3 ORDER BY r.activity, r.ordinal LIMIT ?4")
    static let suspects = Replica.select(
        "WHERE r.suspect_of = ?1 ORDER BY r.activity, r.ordinal LIMIT ?2")
    /// Finds the ordinals first. For whole rows SQLite would search all replicas of the activity.
    static let deadOfActivity = Replica.select(
        """
        WHERE r.activity = ?1 AND r.ordinal IN (SELECT d.ordinal FROM replicas d WHERE d.activity = ?1 \
        AND d.phase = 'dead' AND d.ordinal > ?2 ORDER BY d.ordinal LIMIT ?3) ORDER BY r.ordinal
        """)
    static let deadOfDevice = Replica.select(
        "WHERE r.device = ?1 AND r.phase = 'dead' ORDER BY r.activity DESC, r.ordinal DESC LIMIT ?2")
    static let unansweredStarts = Replica.select(
        "WHERE r.lease_state = 'sent' AND \(isIn(shards: 2, "r.activity")) ORDER BY r.activity, r.ordinal LIMIT ?1")

    /// How many values a change of a whole replica has.
    private static var changed: Int { Replica.table.key.count + Replica.table.changing.count }
}

extension SQLLedger {
    package func insert(_ replica: Replica) throws {
        try connection.queue(
            Statements.insert, replica.values + [SQLValue(replica.isInRing), SQLValue(replica.isSuspect)])
        try change(replica)
    }

    package func update(_ replica: Replica) throws {
        try update(replica, Statements.update, SQLValue(replica.isInRing), SQLValue(replica.isSuspect))
        try change(replica)
    }

    package func update(_ replica: Replica, from former: Replica) throws {
        guard replica.hasOnlyProgressed(from: former) else { return try update(replica) }
        let values = replica.changedProgress + [SQLValue(replica.isInRing)]
        try changeRow(of: Replica.table, Statements.progress, values)
        try change(replica)
    }

    package func replica(_ ordinal: Int, of activity: ActivityID) throws -> Replica? {
        try credited(Statements.replica, SQLValue(activity), SQLValue(ordinal)).first
    }

    package func replica(ofInstance instance: String, on device: DeviceID) throws -> Replica? {
        try credited(Statements.replicaOfInstance, SQLValue(device), SQLValue(instance)).first
    }

    package func allReplicasLive(of activity: ActivityID) throws -> Bool {
        try connection.rows(Statements.allLive, [SQLValue(activity)]) { row in
            let (all, live) = (try row.integer(), try row.optionalInteger())
            return all > 0 && all == live
        }.first ?? false
    }

    package func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica] {
        try credited(Statements.page, SQLValue(activity), SQLValue(ordinal), SQLValue(limit))
    }

    package func replicas(of device: DeviceID, named name: String, in app: AppID) throws -> [Replica] {
        try credited(Statements.ofName, SQLValue(device), SQLValue(app), SQLValue(name))
    }

    package func replicas(
        of device: DeviceID, after activity: ActivityID, ordinal: Int, limit: Int
    ) throws -> [Replica] {
        try credited(
            Statements.ofDevice, SQLValue(device), SQLValue(activity), SQLValue(ordinal), SQLValue(limit))
    }

    package func runningReplicas(of device: DeviceID, type: String, in app: AppID) throws -> [Replica] {
        // The credit of a page may have ended a replica since its row was written.
        try credited(Statements.runningOfType, SQLValue(device), SQLValue(app), SQLValue(type)).filter {
            $0.phase.mayRun
        }
    }

    package func remoteStarts(
        of device: DeviceID, after earliest: Instant, before latest: Instant, limit: Int
    ) throws -> [Replica] {
        try credited(
            Statements.remoteStarts, SQLValue(device), SQLValue(earliest), SQLValue(latest), SQLValue(limit))
    }

    package func suspectReplicas(in app: AppID, limit: Int) throws -> [Replica] {
        try credited(Statements.suspects, SQLValue(app), SQLValue(limit))
    }

    package func deadReplicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica] {
        try credited(Statements.deadOfActivity, SQLValue(activity), SQLValue(ordinal), SQLValue(limit))
    }

    package func deadReplicas(of device: DeviceID, limit: Int) throws -> [Replica] {
        try credited(Statements.deadOfDevice, SQLValue(device), SQLValue(limit))
    }

    package func unansweredStarts(limit: Int, in shards: Shards) throws -> [Replica] {
        try credited(Statements.unansweredStarts, SQLValue(limit), SQLValue(shards))
    }
}
