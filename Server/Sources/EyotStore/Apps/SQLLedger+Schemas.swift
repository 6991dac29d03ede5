import EyotDomain

private enum Statements {
    static let schemas = TypeSchema.table.select("WHERE r.app = ?1 AND r.type = ?2 ORDER BY r.build")
    static let any = SQLStatement("SELECT pushed_at FROM type_schemas WHERE app = ?1 AND type = ?2 LIMIT 1")
    static let schema = TypeSchema.table.select("WHERE r.app = ?1 AND r.type = ?2 AND r.build = ?3")
    static let put = TypeSchema.table.upsert
    static let remove = SQLStatement("DELETE FROM type_schemas WHERE app = ?1 AND type = ?2 AND build = ?3")
    static let builds = SQLStatement("SELECT build FROM activity_builds WHERE activity = ?1")
    static let note = SQLStatement(
        """
        INSERT INTO activity_builds (activity, build) SELECT ?1, ?2 \
        WHERE (SELECT COUNT(*) FROM activity_builds b WHERE b.activity = ?1) < ?3 \
        ON CONFLICT (activity, build) DO NOTHING
        """)
    static let replicaWithBuild = SQLStatement(
        """
        SELECT x.ordinal FROM replicas x JOIN devices d ON d.id = x.device WHERE x.activity = ?1 \
        AND x.phase IN ('starting', 'waitingForToken', 'live') AND d.app_version = ?2 LIMIT 1
        """)
}

extension SQLLedger {
    package func schemas(of type: String, in app: AppID) throws -> [TypeSchema] {
        try all(Statements.schemas, SQLValue(app), SQLValue(type))
    }

    package func hasSchemas(of type: String, in app: AppID) throws -> Bool {
        func read() throws -> Bool {
            try !connection.rows(Statements.any, [SQLValue(app), SQLValue(type)]) { try $0.number() }.isEmpty
        }
        return try memory.map { try $0.hasSchemas(CommitMemory.TypeOfApp(app: app, type: type), read) } ?? read()
    }

    package func schema(of type: String, build: String, in app: AppID) throws -> TypeSchema? {
        try first(Statements.schema, SQLValue(app), SQLValue(type), SQLValue(build))
    }

    package func put(_ schema: TypeSchema) throws {
        memory?.forget()
        try connection.queue(Statements.put, schema.values)
    }

    package func removeSchema(of type: String, build: String, in app: AppID) throws -> Bool {
        memory?.forget()
        return try connection.execute(Statements.remove, [SQLValue(app), SQLValue(type), SQLValue(build)]) == 1
    }

    package func builds(of activity: ActivityID) throws -> Set<String> {
        Set(try connection.rows(Statements.builds, [SQLValue(activity)]) { try $0.text() })
    }

    package func note(_ build: String, of activity: ActivityID) throws {
        guard notedBuilds.insert(ActivityBuild(activity: activity, build: build)).inserted else { return }
        try connection.queue(
            Statements.note, [SQLValue(activity), SQLValue(build), SQLValue(TypeSchema.buildsPerActivity)])
    }

    package func hasReplica(of activity: ActivityID, build: String) throws -> Bool {
        try !connection.rows(Statements.replicaWithBuild, [SQLValue(activity), SQLValue(build)]) {
            try $0.number()
        }.isEmpty
    }

    package func builds(in audience: Audience, of app: AppID) throws -> Set<String> {
        try builds(of: audience, in: app, selecting: .builds)
    }

    package func builds(of activity: ActivityID, in audience: Audience, of app: AppID) throws -> Set<String> {
        try builds(of: audience, in: app, selecting: .buildsWithReplica(of: activity))
    }

    private func builds(
        of audience: Audience, in app: AppID, selecting selection: AudienceQuery.Selection
    ) throws -> Set<String> {
        var builds: Set<String> = []
        try forEachQuery(of: audience, in: app, .init(limit: .max, selection: selection)) { query in
            builds.formUnion(try connection.rows(query.statement, query.arguments) { try $0.text() })
            return 0
        }
        return builds
    }
}

extension TypeSchema: SQLRecord {
    static let table = SQLTable("type_schemas", key: "app", "type", "build", changing: ["json", "pushed_at"])

    var values: [SQLValue] {
        [SQLValue(app), SQLValue(type), SQLValue(build), .blob(json), SQLValue(pushedAt)]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            app: AppID(rawValue: try columns.number()), type: try columns.text(), build: try columns.text(),
            json: try columns.bytes(), pushedAt: try columns.moment())
    }
}
