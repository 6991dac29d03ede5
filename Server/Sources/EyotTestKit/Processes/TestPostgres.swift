import EyotLab
import EyotPostgres

/// The PostgreSQL server of all tests of this process, and databases for each of them.
///
/// A machine without PostgreSQL fails the tests. They are never skipped.
package actor TestPostgres {
    private static let template = "eyot_template"
    package static let shared = TestPostgres()

    private var starting: Task<ThrowawayPostgres, any Error>?
    private var made = 0

    /// The server, which is started once.
    package func server() async throws -> ThrowawayPostgres {
        if let starting { return try await starting.value }
        let task = Task {
            let server = try await ThrowawayPostgres.start()
            try await server.run("CREATE DATABASE \(Self.template)")
            guard let url = PostgresURL(server.url(ofDatabase: Self.template)) else {
                throw LabError.postgres("its URL")
            }
            _ = try PostgresDatabase(url)
            // Each database that is made from it is one of its own, and no copy that waits for its adoption.
            try await server.run("DELETE FROM database_place", in: Self.template)
            return server
        }
        starting = task
        return try await task.value
    }

    /// The URL of a new database with today's tables.
    ///
    /// - Parameter query: Parameters of the URL.
    package func database(_ query: String = "") async throws -> PostgresURL {
        try await make(from: Self.template, query)
    }

    /// The URL of a new database without tables.
    package func emptyDatabase(_ query: String = "") async throws -> PostgresURL {
        try await make(from: "template0", query)
    }

    private func make(from template: String, _ query: String) async throws -> PostgresURL {
        let server = try await server()
        made += 1
        let name = "test_\(made)"
        try await server.run("CREATE DATABASE \(name) TEMPLATE \(template)")
        let url = server.url(ofDatabase: name) + (query.isEmpty ? "" : "?\(query)")
        guard let url = PostgresURL(url) else { throw LabError.postgres("its URL") }
        return url
    }
}
