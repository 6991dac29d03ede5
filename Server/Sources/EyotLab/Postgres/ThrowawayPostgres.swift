import Foundation
import Subprocess

/// A PostgreSQL server of its own on a free port of this machine, with the programs that the system has.
///
/// It ends, and its folder goes, when this process ends, even by a crash. Its commits are as durable as any. Ctrl-C
/// does not reach it, so that the lab's nodes can finish before it ends.
package actor ThrowawayPostgres {
    /// How the server is stopped.
    package enum StopMode: String, CaseIterable, Sendable {
        /// Ends the connections, undoes their transactions and writes everything to the files (SIGINT).
        case fast
        /// Ends at once (SIGQUIT). The next start recovers what was committed from the log, as after a crash.
        case immediate

        fileprivate var signal: String { self == .fast ? "INT" : "QUIT" }
    }

    /// How many seconds the server may take to start or to stop.
    private static let timeout = 30.0
    private static let outputLimit = 1 << 20

    /// The URL of its first database, with the password of its superuser.
    package nonisolated let url: String
    private let folder: URL
    /// The folder of the server's programs.
    package nonisolated let programs: String
    private let port: Int
    private let password: String
    /// What a command begins with, so that root runs it as another user. The server refuses to run as root.
    private let user: [String]
    private var input: StandardInputWriter?
    private var exit: Task<Void, Never>?
    /// Receives the lines of the script while an order is carried out.
    private var listener: AsyncStream<String>.Continuation?
    private var isChanging = false
    /// Whether the server takes connections.
    package private(set) var isRunning = false

    private init(folder: URL, programs: String, port: Int, password: String) {
        (self.folder, self.programs, self.port, self.password) = (folder, programs, port, password)
        user = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        url = "postgres://postgres:\(password)@127.0.0.1:\(port)/postgres"
    }

    /// Makes a server, and returns when it takes connections.
    ///
    /// - Parameter settings: Its settings, such as `fsync=off`.
    /// - Throws: ``LabError/postgres(_:)``.
    package static func start(_ settings: [String] = []) async throws -> ThrowawayPostgres {
        try await make(settings, password: UUID().uuidString) { try await $0.initialise() }
    }

    /// Makes a standby of a server, and returns when it takes connections that read. It follows the server, unless its
    /// settings say something else.
    ///
    /// - Throws: ``LabError/postgres(_:)``.
    package static func start(
        asStandbyOf primary: ThrowawayPostgres, _ settings: [String] = []
    ) async throws -> ThrowawayPostgres {
        try await make(settings, password: primary.password) { try await $0.copy(primary) }
    }

    private static func make(
        _ settings: [String], password: String, fill: (ThrowawayPostgres) async throws -> Void
    ) async throws -> ThrowawayPostgres {
        let folder = FileManager.default.temporaryDirectory.appending(path: "eyot-postgres-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let server = ThrowawayPostgres(
            folder: folder, programs: try await programs(), port: try SteadyPort.free(), password: password)
        do {
            try await fill(server)
            await server.launch(settings)
            try await server.begin()
        } catch {
            await server.stop()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        return server
    }

    // MARK: Stopping and starting again

    /// Starts the server again after ``stopServer(_:)``, at the same address.
    ///
    /// - Throws: ``LabError/databaseRuns`` or ``LabError/databaseChanging`` if its state does not allow it, and
    ///   ``LabError/postgres(_:)``.
    package func startServer() async throws {
        try await change { server in
            guard !server.isRunning else { throw LabError.databaseRuns }
            try await server.begin()
        }
    }

    /// Stops the server, and keeps its data.
    ///
    /// - Throws: ``LabError/databaseStopped`` or ``LabError/databaseChanging`` if its state does not allow it, and
    ///   ``LabError/postgres(_:)``.
    package func stopServer(_ mode: StopMode) async throws {
        try await change { server in try await server.end(mode) }
    }

    /// Stops the server and starts it again.
    ///
    /// - Throws: the errors of ``stopServer(_:)``.
    package func restartServer(_ mode: StopMode) async throws {
        try await change { server in
            try await server.end(mode)
            try await server.begin()
        }
    }

    private func change(
        _ body: @Sendable (isolated ThrowawayPostgres) async throws -> Void
    ) async throws {
        guard !isChanging else { throw LabError.databaseChanging }
        isChanging = true
        defer { isChanging = false }
        try await body(self)
    }

    private func begin() async throws {
        try await order("start") { $0 == Self.started }
        isRunning = true
    }

    private func end(_ mode: StopMode) async throws {
        guard isRunning else { throw LabError.databaseStopped }
        isRunning = false
        try await order(mode.signal) { $0 == Self.stopped }
    }

    // The script's lines when an order is carried out, or cannot be.
    private static let started = "eyot: started"
    private static let stopped = "eyot: stopped"
    private static let failed = "eyot: failed"

    /// Gives the script an order, and returns when its line says that it is done.
    private func order(_ word: String, isDone: (String) -> Bool) async throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(100))
        listener = line
        let patience = DispatchWorkItem { line.finish() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeout, execute: patience)
        defer {
            patience.cancel()
            listener = nil
        }
        _ = try await input?.write("\(word)\n")
        var said: [String] = []
        for await text in lines {
            if isDone(text) { return }
            if text == Self.failed { break }
            said.append(text)
        }
        throw LabError.postgres(
            "the server did not \(word == "start" ? "start" : "stop"): \(said.suffix(5).joined(separator: "; "))")
    }

    /// Runs a statement in one of the server's databases.
    package func run(_ statement: String, in database: String = "postgres") async throws {
        try await command(
            "psql", ["--no-psqlrc", "--quiet", "--dbname", url(ofDatabase: database), "--command", statement],
            asUser: false)
    }

    /// Runs one of PostgreSQL's programs for clients, such as `pg_dump`.
    package func runProgram(_ name: String, _ arguments: [String]) async throws {
        try await command("\(programs)/\(name)", arguments, asUser: false)
    }

    /// Changes a setting of the running server.
    package func configure(_ setting: String, to value: String) async throws {
        try await run("ALTER SYSTEM SET \(setting) = '\(value)'")
        try await run("SELECT pg_reload_conf()")
    }

    /// Lets a standby take the place of its server, and returns when it takes writes.
    package func promote() async throws { try await run("SELECT pg_promote()") }

    /// The URL of another of its databases.
    package nonisolated func url(ofDatabase name: String) -> String {
        String(url.dropLast("postgres".count)) + name
    }

    /// Ends the server and removes its folder.
    package func stop() async {
        try? await input?.finish()
        await exit?.value
    }

    // MARK: Its parts

    /// The folder of the server's programs.
    private static func programs() async throws -> String {
        let versions = "/usr/lib/postgresql"
        let found = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        let newest = found.filter { FileManager.default.isExecutableFile(atPath: "\(versions)/\($0)/bin/initdb") }
            .max { $0.compare($1, options: .numeric) == .orderedAscending }
        if let newest { return "\(versions)/\(newest)/bin" }
        let answer = try? await Subprocess.run(
            .name("pg_config"), arguments: ["--bindir"], output: .string(limit: outputLimit), error: .discarded)
        let folder = answer?.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard FileManager.default.isExecutableFile(atPath: "\(folder)/initdb") else {
            throw LabError.postgres(
                "there is no PostgreSQL server on this machine. Install one: apt-get install postgresql")
        }
        return folder
    }

    private func copy(_ primary: ThrowawayPostgres) async throws {
        try await giveFolder()
        try await command(
            "\(programs)/pg_basebackup",
            [
                "--pgdata", "\(folder.path)/data", "--dbname", primary.url, "--checkpoint", "fast",
                "--write-recovery-conf", "--no-sync",
            ])
    }

    /// Gives the folder to the user that runs the server.
    private func giveFolder() async throws {
        guard !user.isEmpty else { return }
        try await command("chown", ["-R", "postgres:", folder.path], asUser: false)
    }

    private func initialise() async throws {
        let file = folder.appending(path: "password")
        try Data(password.utf8).write(to: file)
        try await giveFolder()
        try await command(
            "\(programs)/initdb",
            [
                "--pgdata", "\(folder.path)/data", "--username", "postgres", "--auth", "scram-sha-256", "--pwfile",
                file.path, "--encoding", "UTF8", "--locale", "C", "--no-sync",
            ])
    }

    private func command(_ program: String, _ arguments: [String], asUser: Bool = true) async throws {
        let words = (asUser ? user : []) + [program] + arguments
        let ended = try await Subprocess.run(
            words[0].contains("/") ? .path(.init(words[0])) : .name(words[0]),
            arguments: Arguments(Array(words.dropFirst())), workingDirectory: .init(folder.path),
            output: .discarded, error: .string(limit: Self.outputLimit))
        guard ended.terminationStatus.isSuccess else {
            throw LabError.postgres("\(program) failed: \(ended.standardError)")
        }
    }

    /// Starts a shell that starts and stops the server as its input says, and ends it when its input ends.
    ///
    /// The server's log goes to a file. Its processes wait for each other while one writes to a pipe that is full, so
    /// it would stop with a reader that waits for it.
    private func launch(_ settings: [String]) async {
        let script = """
            folder=$1
            shift
            while read -r word; do
                case $word in
                start)
                    "$@" >"$folder/server.log" 2>&1 &
                    server=$!
                    for _ in $(seq \(Int(Self.timeout) * 20)); do
                        kill -0 "$server" 2>/dev/null || break
                        grep -q "ready to accept" "$folder/server.log" && echo "\(Self.started)" && continue 2
                        sleep 0.05
                    done
                    tail -n 5 "$folder/server.log"
                    echo "\(Self.failed)"
                    ;;
                *)
                    kill -s "$word" "$server" 2>/dev/null
                    wait "$server"
                    echo "\(Self.stopped)"
                    ;;
                esac
            done
            kill -s INT "$server" 2>/dev/null
            wait "$server"
            rm -rf "$folder"
            """
        let own = ["port=\(port)", "unix_socket_directories=\(folder.path)", "listen_addresses=127.0.0.1"]
        let server =
            ["\(programs)/postgres", "-D", "\(folder.path)/data"]
            + (own + ["max_connections=300"] + settings).flatMap { ["-c", $0] }
        let words = user + ["sh", "-c", script, "sh", folder.path] + server
        var options = PlatformOptions()
        options.processGroupID = 0
        let setup = Configuration(
            executable: .name(words[0]), arguments: Arguments(Array(words.dropFirst())),
            workingDirectory: .init(folder.path), platformOptions: options)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        exit = Task {
            _ = try? await Subprocess.run(setup, input: .inputWriter, output: .sequence, error: .discarded) { server in
                input = server.standardInputWriter
                start.yield()
                for try await text in server.standardOutput.strings() { listener?.yield(text) }
            }
            input = nil
            isRunning = false
            listener?.finish()
            start.finish()
        }
        for await _ in starts { break }
    }
}
