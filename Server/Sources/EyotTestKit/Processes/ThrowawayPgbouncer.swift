import EyotLab
import EyotPostgres
import Foundation
import Subprocess

/// A pgbouncer of its own before a server, which hands each transaction to another connection of that server.
///
/// It ends, and its folder goes, when this process ends, even by a crash. A machine without pgbouncer fails the tests.
package actor ThrowawayPgbouncer {
    private let folder: URL
    private let port: Int
    private let server: ThrowawayPostgres
    private var input: StandardInputWriter?
    private var exit: Task<Void, Never>?

    private init(folder: URL, port: Int, server: ThrowawayPostgres) {
        (self.folder, self.port, self.server) = (folder, port, server)
    }

    /// Starts one, and returns when it takes connections.
    ///
    /// - Parameter settings: Further lines of its `pgbouncer.ini`.
    package static func start(
        before server: ThrowawayPostgres, _ settings: [String] = []
    ) async throws -> ThrowawayPgbouncer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "eyot-pgbouncer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let bouncer = ThrowawayPgbouncer(folder: folder, port: try SteadyPort.free(), server: server)
        do {
            try await bouncer.configure(settings)
            try await bouncer.launch()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        return bouncer
    }

    /// The URL of a database of the server, through the pooler.
    package nonisolated func url(_ database: PostgresURL) throws -> PostgresURL {
        guard var parts = URLComponents(string: database.text) else { throw LabError.postgres("its URL") }
        parts.port = port
        guard let url = parts.string.flatMap(PostgresURL.init) else { throw LabError.postgres("its URL") }
        return url
    }

    /// Ends the pooler and removes its folder.
    package func stop() async {
        try? await input?.finish()
        await exit?.value
    }

    // MARK: Its parts

    private var configuration: String { folder.appending(path: "pgbouncer.ini").path }

    private func configure(_ settings: [String]) throws {
        guard let parts = URLComponents(string: server.url), let user = parts.user, let password = parts.password,
            let serverPort = parts.port
        else { throw LabError.postgres("the server's URL") }
        let users = folder.appending(path: "users.txt")
        try "\"\(user)\" \"\(password)\"\n".write(to: users, atomically: true, encoding: .utf8)
        let lines =
            [
                "[databases]", "* = host=127.0.0.1 port=\(serverPort)", "[pgbouncer]", "pool_mode = transaction",
                "listen_addr = 127.0.0.1", "listen_port = \(port)", "unix_socket_dir =",
                "auth_type = scram-sha-256", "auth_file = \(users.path)", "max_client_conn = 500",
                "default_pool_size = 20", "log_connections = 0", "log_disconnections = 0",
            ] + settings
        try lines.joined(separator: "\n").write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// Starts it under a shell that ends it when its own input ends. It refuses to run as root.
    private func launch() async throws {
        let script = """
            folder=$1
            shift
            "$@" 2>&1 & pooler=$!
            cat >/dev/null
            kill -TERM "$pooler"
            wait "$pooler"
            rm -rf "$folder"
            """
        let user = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        let program = ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
            .first(where: FileManager.default.isExecutableFile(atPath:))
        guard let program else { throw LabError.postgres("there is no pgbouncer on this machine: install pgbouncer") }
        let words = ["sh", "-c", script, "sh", folder.path] + user + [program, configuration]
        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(100))
        let folder = folder.path
        exit = Task {
            _ = try? await Subprocess.run(
                .name(words[0]), arguments: Arguments(Array(words.dropFirst())), workingDirectory: .init(folder),
                input: .inputWriter, output: .sequence, error: .discarded
            ) { pooler in
                input = pooler.standardInputWriter
                for try await text in pooler.standardOutput.strings() { line.yield(text) }
            }
            line.finish()
        }
        var said: [String] = []
        for await text in lines {
            if text.contains("process up") { return }
            said.append(text)
        }
        throw LabError.postgres("pgbouncer did not start: \(said.suffix(5).joined(separator: "; "))")
    }
}
