import EyotStore
import Foundation

/// The sessions of Eyot's servers and commands on a database.
enum ServerSessions {
    private static let others = SQLStatement(
        """
        SELECT a.pid, COALESCE(host(a.client_addr), 'a local socket') FROM pg_stat_activity a \
        WHERE a.datname = current_database() AND a.application_name = ?1 AND a.pid <> pg_backend_pid() \
        ORDER BY a.backend_start LIMIT 1
        """)

    /// How often it is looked, with a pause in microseconds. A session that was closed ends a moment later.
    private static let (looks, pause) = (10, UInt32(100_000))

    /// - Throws: ``StoreError/inUseBy(_:)`` if there is one beside this connection.
    static func requireNone(beside connection: PostgresConnection) throws {
        for look in 1...looks {
            guard let session = try first(beside: connection) else { return }
            guard look < looks else { throw StoreError.inUseBy(session) }
            usleep(pause)
        }
    }

    private static func first(beside connection: PostgresConnection) throws -> String? {
        try connection.rows(others, [.text(PostgresDatabase.application)]) { row in
            let process = try row.number()
            return "a session of eyot from \(try row.text()), which is process \(process) of the database server"
        }.first
    }
}

extension PostgresDatabase {
    /// Checks that no server and no other command uses a database.
    ///
    /// - Throws: ``StoreError``, also ``StoreError/inUseBy(_:)``.
    package static func requireRest(_ url: PostgresURL) throws {
        let connection = PostgresConnection(url, application: application)
        defer { connection.close() }
        try connection.connected()
        try ServerSessions.requireNone(beside: connection)
    }
}
