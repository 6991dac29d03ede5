import EyotDomain

/// What is asked of the activity stands in a condition rather than in a join: a join invites the planner to begin with the
/// activity and to read a million replicas where the device has two.
private enum Statements {
    static let insert = Replica.table.insert
    static let update = Replica.table.update
    static let replica = Replica.table.select("WHERE r.activity = ?1 AND r.ordinal = ?2")
    static let replicaOfInstance = Replica.table.select("WHERE r.device = ?1 AND r.instance = ?2")
    static let page = Replica.table.select("WHERE r.activity = ?1 AND r.ordinal > ?2 ORDER BY r.ordinal LIMIT ?3")
    /// A later generation of a name has the higher id.
    static let ofName = Replica.table.select(
        """
        WHERE r.device = ?1 AND r.activity IN (SELECT a.id FROM activities a WHERE a.app = ?2 AND a.name = ?3) \
        ORDER BY r.activity DESC, r.ordinal
        """)
    static let runningOfType = Replica.table.select(
        """
        WHERE r.device = ?1 AND r.phase IN ('starting', 'waitingForToken', 'live') \
        AND EXISTS (SELECT 1 FROM activities a WHERE a.id = r.activity AND a.app = ?2 AND a.type = ?3) \
        ORDER BY r.activity, r.ordinal
        """)
    static let suspects = Replica.table.select(
        """
        WHERE r.suspect = 1 AND EXISTS (SELECT 1 FROM activities a WHERE a.id = r.activity AND a.app = ?1) \
        ORDER BY r.activity, r.ordinal LIMIT ?2
        """)
    static let unansweredStarts = Replica.table.select(
        "WHERE r.lease_state = 'sent' ORDER BY r.activity, r.ordinal LIMIT ?1")
}

extension SQLLedger {
    package func insert(_ replica: Replica) throws { try connection.execute(Statements.insert, replica.values) }

    package func update(_ replica: Replica) throws { try update(replica, Statements.update) }

    package func replica(_ ordinal: Int, of activity: ActivityID) throws -> Replica? {
        try first(Statements.replica, SQLValue(activity), SQLValue(ordinal))
    }

    package func replica(ofInstance instance: String, on device: DeviceID) throws -> Replica? {
        try first(Statements.replicaOfInstance, SQLValue(device), SQLValue(instance))
    }

    package func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica] {
        try all(Statements.page, SQLValue(activity), SQLValue(ordinal), SQLValue(limit))
    }

    package func replicas(of device: DeviceID, named name: String, in app: AppID) throws -> [Replica] {
        try all(Statements.ofName, SQLValue(device), SQLValue(app), SQLValue(name))
    }

    package func runningReplicas(of device: DeviceID, type: String, in app: AppID) throws -> [Replica] {
        try all(Statements.runningOfType, SQLValue(device), SQLValue(app), SQLValue(type))
    }

    package func suspectReplicas(in app: AppID, limit: Int) throws -> [Replica] {
        try all(Statements.suspects, SQLValue(app), SQLValue(limit))
    }

    package func unansweredStarts(limit: Int) throws -> [Replica] {
        try all(Statements.unansweredStarts, SQLValue(limit))
    }
}
