@testable import EyotPostgres

extension PostgresURL {
    /// Does something on a connection of its own.
    func onConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = PostgresConnection(self, application: "test")
        defer { connection.close() }
        try connection.connected()
        return try body(connection)
    }
}
