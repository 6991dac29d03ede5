import EyotStore

/// What is at the other end of a connection.
struct PostgresIdentity {
    /// Whether a pooler stands between. It names processes of its own, so the number that came with the connection is
    /// not that of the server's process.
    let isPooled: Bool
    /// The cluster, the database in it, and the schema. They stay when a standby takes over.
    let database: String

    /// How many connections the user, the database or the whole server may have; nil if it does not say.
    let connectionLimit: Int64?

    private static let text = """
        SELECT pg_backend_pid(), (SELECT CAST(LEAST(NULLIF(r.rolconnlimit, -1), NULLIF(datconnlimit, -1), \
        CAST(current_setting('max_connections') AS INT) \
        - CAST(current_setting('superuser_reserved_connections') AS INT)) AS BIGINT) \
        FROM pg_roles r WHERE r.rolname = current_user), \
        (SELECT system_identifier FROM pg_control_system()) || '/' || oid || '/' || COALESCE(current_schema(), '') \
        FROM pg_database WHERE datname = current_database()
        """

    init(on handle: PostgresHandle) throws {
        try handle.send(Self.text, PostgresParameters([]))
        let rows = PostgresRows(try handle.answer())
        guard rows.step(), let process = rows.number(at: 0), case .text(let database)? = rows.value(at: 2) else {
            throw StoreError.failed("the server did not say which database it is")
        }
        isPooled = process != handle.process
        self.database = database
        connectionLimit = rows.number(at: 1)
    }
}
