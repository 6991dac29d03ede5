import EyotDomain

private enum Statements {
    static let activity = Activity.table.select("WHERE r.id = ?1")
    static let ofName = Activity.table.select("WHERE r.app = ?1 AND r.name = ?2 ORDER BY r.generation DESC LIMIT ?3")
    static let newestOfEachName = Activity.table.select(
        """
        WHERE r.app = ?1 AND r.name > ?2 AND r.generation = \
        (SELECT MAX(o.generation) FROM activities o WHERE o.app = r.app AND o.name = r.name) \
        ORDER BY r.name LIMIT ?3
        """)
    static let nameAfter = SQLStatement(
        "SELECT name FROM activities WHERE app = ?1 AND name > ?2 ORDER BY name LIMIT 1")
    static let newestNames = SQLStatement("SELECT name FROM activities WHERE app = ?1 ORDER BY id DESC LIMIT ?2")
    static let idsOfApp = SQLStatement("SELECT id FROM activities WHERE app = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
    static let naming = SQLStatement(
        """
        SELECT id FROM activities WHERE app = ?1 AND id > ?2 AND users LIKE ?3 ESCAPE '\\' ORDER BY id LIMIT ?4
        """)
    static let insert = Activity.table.insertNew
    static let update = Activity.table.update

    static let insertDeclaration = Declaration.table.insert
    static let updateDeclaration = Declaration.table.update
    static let declaration = Declaration.table.select("WHERE r.activity = ?1 AND r.version = ?2")

    static let erase = SQLStatement(
        """
        UPDATE declarations SET state = CASE WHEN state IS NULL THEN NULL ELSE '{}' END, attributes = NULL, \
        alert = NULL, alert_expires_at = NULL, start_alert = NULL, aps = NULL WHERE activity = ?1 AND version = ?2
        """)

    static let insertOperation = Operation.table.insertNew
    static let updateOperation = Operation.table.update
    static let operation = Operation.table.select("WHERE r.id = ?1 AND r.app = ?2")
    static let ofSource = Operation.table.select(
        """
        WHERE r.app = ?1 AND r.source = ?2 AND (r.activity, r.id) > (?3, ?4) ORDER BY r.activity, r.id LIMIT ?5
        """)
    static let ofRequest = Operation.table.ofRequest
    static let withSource = Operation.table.select(
        """
        WHERE r.app = ?1 AND r.source IS NOT NULL AND r.accepted_at >= ?2 AND r.accepted_at <= ?3 \
        ORDER BY r.accepted_at, r.id LIMIT ?4
        """)
    static let declaring = Operation.table.select(
        """
        WHERE r.accepted_at = ?3 AND r.activity = ?1 AND r.version = ?2 AND r.outcome = 'applied' ORDER BY r.id LIMIT 1
        """)
    static let openOperations = Operation.table.select(
        "WHERE r.activity = ?1 AND r.completed_at IS NULL AND r.pending = 0 ORDER BY r.id LIMIT ?2")
}

extension SQLLedger {
    package func activity(_ id: ActivityID) throws -> Activity? {
        try known(first(Statements.activity, SQLValue(id)))
    }

    package func newestActivity(named name: String, in app: AppID) throws -> Activity? {
        try known(first(Statements.ofName, SQLValue(app), SQLValue(name), SQLValue(1)))
    }

    private func known(_ activity: Activity?) -> Activity? {
        if let activity { knownActivity = activity }
        return activity
    }

    package func activities(named name: String, in app: AppID, limit: Int) throws -> [Activity] {
        try all(Statements.ofName, SQLValue(app), SQLValue(name), SQLValue(limit))
    }

    package func newestActivities(in app: AppID, after name: String, limit: Int) throws -> [Activity] {
        try all(Statements.newestOfEachName, SQLValue(app), SQLValue(name), SQLValue(limit))
    }

    package func activityName(in app: AppID, after name: String) throws -> String? {
        try connection.rows(Statements.nameAfter, [SQLValue(app), SQLValue(name)]) { try $0.text() }.first
    }

    package func newestActivityNames(of app: AppID, limit: Int) throws -> [String] {
        try connection.rows(Statements.newestNames, [SQLValue(app), SQLValue(limit)]) { try $0.text() }
    }

    package func activities(of app: AppID, after id: ActivityID, limit: Int) throws -> [ActivityID] {
        try connection.rows(Statements.idsOfApp, [SQLValue(app), SQLValue(id), SQLValue(limit)]) {
            ActivityID(rawValue: try $0.number())
        }
    }

    package func activities(
        naming user: String, in app: AppID, after id: ActivityID, limit: Int
    ) throws -> [ActivityID] {
        let arguments = [SQLValue(app), SQLValue(id), SQLValue(listing: user), SQLValue(limit)]
        return try connection.rows(Statements.naming, arguments) { ActivityID(rawValue: try $0.number()) }
    }

    package func insertActivity(
        named name: String, in app: AppID, generation: Int, type: String?, at now: Instant
    ) throws -> Activity {
        var activity = Activity(
            id: ActivityID(rawValue: 0), app: app, name: name, generation: generation, type: type, createdAt: now)
        activity.id = ActivityID(rawValue: try insertNew(activity, Statements.insert))
        return activity
    }

    package func update(_ activity: Activity) throws {
        let known = knownActivity
        knownActivity = activity
        if let type = activity.declaredType { counted.note(type, of: activity.id) }
        guard let former = known, former.id == activity.id, activity.isListed(as: former) else {
            return try update(activity, Statements.update)
        }
        if activity.dueAt == former.dueAt {
            try changeRow(of: Activity.table, Activity.updatePlain, activity.plainValues)
        } else {
            try changeRow(of: Activity.table, Activity.updateDue, activity.dueValues)
        }
    }

    package func insert(_ declaration: Declaration) throws {
        try connection.queue(Statements.insertDeclaration, declaration.values)
    }

    package func update(_ declaration: Declaration) throws { try update(declaration, Statements.updateDeclaration) }

    package func eraseDeclaration(_ version: Version, of activity: ActivityID) throws {
        try connection.queue(Statements.erase, [SQLValue(activity), SQLValue(version)])
    }

    package func declaration(_ version: Version, of activity: ActivityID) throws -> Declaration? {
        // An activity without a declaration has the version 0.
        guard version > 0 else { return nil }
        return try first(Statements.declaration, SQLValue(activity), SQLValue(version))
    }

    package func insert(_ operation: Operation) throws -> Operation {
        var stored = operation
        stored.id = try insertNew(operation, Statements.insertOperation)
        return stored
    }

    package func operation(_ id: Int64, in app: AppID) throws -> Operation? {
        try first(Statements.operation, .integer(id), SQLValue(app))
    }

    package func update(_ operation: Operation) throws { try update(operation, Statements.updateOperation) }

    package func operations(
        of source: String, in app: AppID, after activity: ActivityID, id: Int64, limit: Int
    ) throws -> [Operation] {
        try all(
            Statements.ofSource, SQLValue(app), SQLValue(source), SQLValue(activity), .integer(id), SQLValue(limit))
    }

    package func operationsWithSource(
        in app: AppID, from start: Instant, to end: Instant, limit: Int
    ) throws -> [Operation] {
        try all(Statements.withSource, SQLValue(app), SQLValue(start), SQLValue(end), SQLValue(limit))
    }

    package func operations(ofRequest id: String, in app: AppID, limit: Int) throws -> [Operation] {
        try all(Statements.ofRequest, ofRequest: id, in: app, limit: limit, by: \.id)
    }

    package func operation(
        declaring version: Version, of activity: ActivityID, at moment: Instant
    ) throws -> Operation? {
        try first(Statements.declaring, SQLValue(activity), SQLValue(version), SQLValue(moment))
    }

    package func openOperations(of activity: ActivityID, limit: Int) throws -> [Operation] {
        try all(Statements.openOperations, SQLValue(activity), SQLValue(limit))
    }
}
