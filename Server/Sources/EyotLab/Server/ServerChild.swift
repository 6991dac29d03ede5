import EyotContract
import Foundation
import Subprocess

/// A node as a child process: the same executable with `serve`.
///
/// Its standard input carries the lab's clock. When the lab ends, even by a crash, this input ends and the server ends
/// with it. It has a process group of its own: Ctrl-C reaches only the lab, which stops its nodes in order. If the lab
/// dies, the system continues a paused process, because its group is then orphaned.
actor ServerChild {
    /// How many seconds the server may take to report its address.
    static let startTimeout = 30.0
    /// How many seconds after SIGTERM the server is killed. The server itself promises to end within ten.
    static let stopTimeout = 12.0
    /// The most bytes of a command's answer.
    private static let answerLimit = 1 << 20

    /// What the lab is told about a process.
    struct Reports: Sendable {
        /// Receives the base URL when the process takes calls.
        var opened: @Sendable (URL) -> Void = { _ in }
        /// Receives the base URL when the process is paused or ends.
        var closed: @Sendable (URL) -> Void = { _ in }
        /// Receives a sentence when the process has ended without the lab's doing.
        var failed: @Sendable (String) -> Void = { _ in }
    }

    let name: String
    private let executable: URL
    private let log: URL
    private var environment: [String: String]
    private let clock: LabClock
    private let reports: Reports
    private var running: Running?
    private var isStarting = false
    /// Whether the process takes calls, if it is not paused.
    private var isListening = false
    private var isPaused = false
    /// Whether the lab has ended the process that was started last.
    private var isEnding = false
    /// How the last process ended without the lab's doing.
    private var failure: String?
    /// The listeners of the first start, which all later ones have too.
    private var addresses = (http: "", ops: "")
    /// The lead of the clock that the process knows, in seconds.
    private var knownLead = 0.0
    /// Ends with the process that was started last.
    private var exit: Task<Void, Never>?

    private struct Running {
        let pid: Int32
        let input: StandardInputWriter
    }

    init(
        name: String, executable: URL, log: URL, environment: [String: String], clock: LabClock,
        reports: Reports = Reports()
    ) {
        self.name = name
        self.executable = executable
        self.log = log
        self.clock = clock
        self.reports = reports
        // Settings in the caller's environment are meant for another server.
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EYOT_") }
        self.environment = inherited.merging(environment) { $1 }
        // So is a file of settings in the current folder, or one of a package.
        self.environment["EYOT_CONFIG"] = ""
    }

    /// The server's process id; nil if none runs.
    var pid: Int32? { running?.pid }

    /// The node as it is now.
    var node: LabNode {
        LabNode(
            name: name, http: addresses.http, ops: addresses.ops, pid: running?.pid, state: state, failure: failure)
    }

    private var state: LabNode.State { running == nil ? .stopped : isPaused ? .paused : .running }

    /// Does something to the process that its state allows.
    ///
    /// - Returns: the node after it.
    /// - Throws: ``LabError/nodeRuns(_:)``, ``LabError/nodePaused(_:)`` or ``LabError/nodeStopped(_:)`` if the state
    ///   does not allow it, and the errors of ``start()``.
    func perform(_ action: LabNode.Action) async throws -> LabNode {
        switch (action, state) {
        case (.start, .stopped): try await start()
        case (.kill, .running), (.kill, .paused): await kill()
        case (.stop, .running): await stop()
        case (.pause, .running): pause()
        case (.continue, .paused): await resume()
        case (_, .running): throw LabError.nodeRuns(name)
        case (_, .paused): throw LabError.nodePaused(name)
        case (_, .stopped): throw LabError.nodeStopped(name)
        }
        return node
    }

    /// Changes a variable of the processes that are started from now on.
    func change(_ variable: String, to value: String) { environment[variable] = value }

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
    /// - Throws: ``LabError/nodeRuns(_:)`` if it runs or is being started, and ``LabError/server(_:)`` if it fails.
    func start() async throws {
        guard running == nil, !isStarting else { throw LabError.nodeRuns(name) }
        isStarting = true
        defer { isStarting = false }
        knownLead = clock.seconds
        environment["EYOT_LAB_CLOCK"] = knownLead == 0 ? "stdin" : "stdin:\(knownLead)"
        let lines = try await launch()
        guard let line = await Self.first(of: lines), let json = try? JSONValue(parsing: line.utf8),
            let http = json.object?["http"]?.string, let url = URL(string: http), let port = url.port,
            let ops = json.object?["ops"]?.string, let opsPort = URL(string: ops)?.port
        else {
            await kill()
            throw failure("the server did not start")
        }
        // The phones and the lab's users know these ports, so a later start must use them again.
        environment["EYOT_HTTP_PORT"] = "\(port)"
        environment["EYOT_OPS_PORT"] = "\(opsPort)"
        addresses = (http, ops)
        guard running != nil else { throw failure("the server ended at its start") }
        isListening = true
        reports.opened(url)
        await keepTime()
    }

    /// Brings the server's clock to the lab's. A paused server gets all that it has missed when it continues.
    func keepTime() async {
        guard let running, isListening, !isPaused else { return }
        let lead = clock.seconds
        let step = lead - knownLead
        guard step > 0 else { return }
        knownLead = lead
        // The write fails if the server is ending. The next start begins with the whole lead.
        _ = try? await running.input.write("advance \(step)\n")
    }

    /// Stops the server, also a paused one, and returns when it has ended. It is killed after ``stopTimeout``.
    func stop() async {
        isEnding = true
        close()
        signal(SIGTERM)
        if isPaused { signal(SIGCONT) }
        // Not a sleep of this task, because a lab often stops after its task was cancelled.
        let patience = DispatchWorkItem { [weak self] in Task { await self?.signal(SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.stopTimeout, execute: patience)
        await exit?.value
        patience.cancel()
    }

    /// Ends the server without a warning, like a crash.
    func kill() async {
        isEnding = true
        signal(SIGKILL)
        await exit?.value
    }

    private func pause() {
        isPaused = true
        signal(SIGSTOP)
        close()
    }

    private func resume() async {
        isPaused = false
        // The time that has passed is in its input before it reads a clock.
        await keepTime()
        guard !isPaused else { return }
        signal(SIGCONT)
        if isListening, let url = URL(string: addresses.http) { reports.opened(url) }
    }

    /// Says that the process takes no more calls.
    private func close() {
        if isListening, let url = URL(string: addresses.http) { reports.closed(url) }
    }

    // MARK: The process

    /// Starts the server's process.
    ///
    /// - Returns: what it prints, by line.
    private func launch() async throws -> AsyncStream<String> {
        let log = try openLog()
        let configuration = configuration(["serve", "--json"])
        (isEnding, failure) = (false, nil)
        // A reader wants the first line. Later ones are dropped.
        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        exit = Task {
            defer { withExtendedLifetime(log) {} }
            // The error of a process that did not start is told by the end of the stream.
            let ended = try? await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence,
                error: .fileDescriptor(.init(rawValue: log.fileDescriptor), closeAfterSpawningProcess: false)
            ) { server in
                running = Running(pid: server.processIdentifier.value, input: server.standardInputWriter)
                start.yield()
                for try await text in server.standardOutput.strings() { line.yield(text) }
            }
            noteEnd(ended?.terminationStatus)
            line.finish()
            start.finish()
        }
        guard await starts.first(where: { _ in true }) != nil else {
            throw LabError.server("\(executable.path) cannot be run")
        }
        return lines
    }

    /// Notes that the process has ended. If it was serving and the lab did not end it, this is a failure.
    private func noteEnd(_ status: TerminationStatus?) {
        let (pid, wasListening) = (running?.pid ?? 0, isListening)
        close()
        (running, isListening, isPaused) = (nil, false, false)
        guard wasListening, !isEnding, let status else { return }
        let ending =
            switch status {
            case .exited(let code): "exit code \(code)"
            case .signaled(let signal): "signal \(signal)"
            }
        failure = ending
        reports.failed(
            """
            \(name) (process \(pid)) has ended with \(ending), and the lab did not end it. Its log is \(log.path). \
            POST /nodes/\(name)/start of the control API starts it again.
            """)
    }

    /// Sends a signal to the server if it still runs.
    private func signal(_ number: Int32) {
        guard let running else { return }
        send(number, to: running.pid)
    }

    private func configuration(_ arguments: [String]) -> Configuration {
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        var options = PlatformOptions()
        options.processGroupID = 0
        return Configuration(
            executable: .path(.init(executable.path)), arguments: Arguments(arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: variables)), platformOptions: options)
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
