import EyotContract
import Foundation
import Subprocess

/// The server as a child process: the same executable with `serve`.
///
/// Its standard input carries the lab's clock. When the lab ends, even by a crash, this input ends and the server ends
/// with it.
actor ServerChild {
    /// How many seconds the server may take to report its address.
    static let startTimeout = 30.0
    /// How many seconds after SIGTERM the server is killed. The server itself promises to end within ten.
    static let stopTimeout = 12.0
    /// The most bytes of a command's answer.
    private static let answerLimit = 1 << 20

    private let executable: URL
    private let log: URL
    private var environment: [String: String]
    private let clock: LabClock
    private var running: Running?
    /// Ends with the process that was started last.
    private var exit: Task<Void, Never>?

    private struct Running {
        let pid: Int32
        let input: StandardInputWriter
    }

    init(executable: URL, log: URL, environment: [String: String], clock: LabClock) {
        self.executable = executable
        self.log = log
        self.clock = clock
        // Settings in the caller's environment are meant for another server.
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EYOT_") }
        self.environment = inherited.merging(environment) { $1 }
        // So is a file of settings in the current folder, or one of a package.
        self.environment["EYOT_CONFIG"] = ""
    }

    /// The server's process id; nil if none runs.
    var pid: Int32? { running?.pid }

    /// Whether the server's process runs.
    var isRunning: Bool { running != nil }

    /// Runs another command of the executable to its end, and returns the JSON that it prints.
    ///
    /// - Throws: ``LabError/server(_:)`` if it fails.
    func run(_ arguments: [String]) async throws -> JSONValue {
        let log = try openLog()
        defer { withExtendedLifetime(log) {} }
        let ended = try await Subprocess.run(
            configuration(arguments), input: .none, output: .bytes(limit: Self.answerLimit),
            error: .fileDescriptor(.init(rawValue: log.fileDescriptor), closeAfterSpawningProcess: false))
        guard ended.terminationStatus.isSuccess, let json = try? JSONValue(parsing: ended.standardOutput) else {
            throw failure("`eyot \(arguments.joined(separator: " "))` failed")
        }
        return json
    }

    /// Starts the server, and returns when it listens.
    ///
    /// - Returns: the base URLs of its listeners.
    func start() async throws -> (http: String, ops: String) {
        environment["EYOT_LAB_CLOCK"] = clock.seconds == 0 ? "stdin" : "stdin:\(clock.seconds)"
        let lines = try await launch()
        guard let line = await Self.first(of: lines), let json = try? JSONValue(parsing: line.utf8),
            let http = json.object?["http"]?.string, let port = URL(string: http)?.port,
            let ops = json.object?["ops"]?.string, let opsPort = URL(string: ops)?.port
        else {
            await kill()
            throw failure("the server did not start")
        }
        // The phones and the lab's users know these ports, so a later start must use them again.
        environment["EYOT_HTTP_PORT"] = "\(port)"
        environment["EYOT_OPS_PORT"] = "\(opsPort)"
        return (http, ops)
    }

    /// Advances the server's clock.
    func advanceClock(by seconds: Double) async {
        // The write fails if the server is ending. The next start begins with the whole lead.
        _ = try? await running?.input.write("advance \(seconds)\n")
    }

    /// Stops the server, and returns when it has ended. It is killed after ``stopTimeout``.
    func stop() async {
        signal(SIGTERM)
        // Not a sleep of this task, because a lab often stops after its task was cancelled.
        let patience = DispatchWorkItem { [weak self] in Task { await self?.signal(SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.stopTimeout, execute: patience)
        await exit?.value
        patience.cancel()
    }

    /// Ends the server without a warning, like a crash.
    func kill() async {
        signal(SIGKILL)
        await exit?.value
    }

    // MARK: The process

    /// Starts the server's process.
    ///
    /// - Returns: what it prints, by line.
    private func launch() async throws -> AsyncStream<String> {
        let log = try openLog()
        let configuration = configuration(["serve", "--json"])
        // A reader wants the first line. Later ones are dropped.
        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        exit = Task {
            defer { withExtendedLifetime(log) {} }
            // The error of a process that did not start is told by the end of the stream.
            _ = try? await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence,
                error: .fileDescriptor(.init(rawValue: log.fileDescriptor), closeAfterSpawningProcess: false)
            ) { server in
                running = Running(pid: server.processIdentifier.value, input: server.standardInputWriter)
                start.yield()
                for try await text in server.standardOutput.strings() { line.yield(text) }
            }
            running = nil
            line.finish()
            start.finish()
        }
        guard await starts.first(where: { _ in true }) != nil else {
            throw LabError.server("\(executable.path) cannot be run")
        }
        return lines
    }

    /// Sends a signal to the server if it still runs.
    private func signal(_ number: Int32) {
        guard let running else { return }
        send(number, to: running.pid)
    }

    private func configuration(_ arguments: [String]) -> Configuration {
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        return Configuration(
            executable: .path(.init(executable.path)), arguments: Arguments(arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: variables)))
    }

    private func openLog() throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        return handle
    }

    private static func first(of lines: AsyncStream<String>) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await lines.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: .seconds(startTimeout))
                return nil
            }
            let line = await group.next() ?? nil
            group.cancelAll()
            return line
        }
    }

    private func failure(_ what: String) -> LabError {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        let tail = text.split(separator: "\n").suffix(5).joined(separator: "\n")
        return .server(tail.isEmpty ? "\(what) and said nothing" : "\(what); it said:\n\(tail)")
    }
}

/// Not in the actor, where `kill` has another meaning.
private func send(_ signal: Int32, to pid: Int32) { _ = kill(pid, signal) }
