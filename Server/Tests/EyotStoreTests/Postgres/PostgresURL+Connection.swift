import Foundation
import Testing

@testable import EyotPostgres

extension PostgresURL {
    /// Does something on a connection of its own.
    func onConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = PostgresConnection(self, application: "test")
        defer { connection.close() }
        try connection.connected()
        return try body(connection)
    }

    /// The same database for another user, with the password `word`.
    func ofUser(_ user: String) throws -> PostgresURL {
        var parts = try #require(URLComponents(string: text))
        (parts.user, parts.password) = (user, "word")
        return try #require(parts.string.flatMap(PostgresURL.init))
    }
}
