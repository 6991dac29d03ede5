import EyotStore

/// What is at the other end of a connection.
struct PostgresIdentity {
    /// Whether a pooler stands between. It names processes of its own, so the number that came with the connection is
    /// not that of the server's process.
    let isPooled: Bool
    /// The cluster and the database in it. They stay when a standby takes over.
    let database: String

    private static let text = """
        SELECT pg_backend_pid(), (SELECT system_identifier FROM pg_control_system()) || '/' || oid \
        FROM pg_database WHERE datname = current_database()
        """

    init(on handle: PostgresHandle) throws {
        try handle.send(Self.text, PostgresParameters([]))
        let rows = PostgresRows(try handle.answer())
        guard rows.step(), let process = rows.number(at: 0), case .text(let database)? = rows.value(at: 1) else {
            throw StoreError.failed("the server did not say which database it is")
        }
        isPooled = process != handle.process
        self.database = database
    }
}
