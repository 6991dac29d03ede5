import EyotContract
import Foundation

/// The server as a child process: the same executable with `serve`.
///
/// Its standard input carries the lab's clock. When the lab ends, even by a crash, this input ends and the server ends
/// with it.
actor ServerChild {
    /// How many seconds the server may take to report its address.
    static let startTimeout = 30.0
    /// How many seconds after SIGTERM the server is killed. The server itself promises to end within ten.
    static let stopTimeout = 12.0

    private let executable: URL
    private let log: URL
    private var environment: [String: String]
    private let clock: LabClock
    private var running: Running?

    private struct Running {
        let process: Process
        let input: FileHandle
        /// A task that ends with the process.
        let exit: Task<Void, Never>
    }

    init(executable: URL, log: URL, environment: [String: String], clock: LabClock) {
        self.executable = executable
        self.log = log
        self.clock = clock
        // Settings in the caller's environment are meant for another server.
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EYOT_") }
        self.environment = inherited.merging(environment) { $1 }
    }

    /// The server's process id; nil if none runs.
    var pid: Int32? { running?.process.processIdentifier }

    /// Whether the server's process runs.
    var isRunning: Bool { running?.process.isRunning ?? false }

    /// Runs another command of the executable to its end, and returns the JSON that it prints.
    ///
    /// - Throws: ``LabError/server(_:)`` if it fails.
    func run(_ arguments: [String]) async throws -> JSONValue {
        let (process, output, exit) = try launch(arguments, input: nil)
        var bytes: [UInt8] = []
        for await chunk in output { bytes += chunk }
        await exit.value
        guard process.terminationStatus == 0, let json = try? JSONValue(parsing: bytes) else {
            throw failure("`eyot \(arguments.joined(separator: " "))` failed")
        }
        return json
    }

    /// Starts the server, and returns when it listens.
    ///
    /// - Returns: the base URLs of its listeners.
    func start() async throws -> (http: String, ops: String) {
        let input = Pipe()
        let (process, output, exit) = try launch(["serve", "--json"], input: input)
        running = Running(process: process, input: input.fileHandleForWriting, exit: exit)
        guard let line = await Self.firstLine(of: output), let json = try? JSONValue(parsing: line),
            let http = json.object?["http"]?.string, let port = URL(string: http)?.port,
            let ops = json.object?["ops"]?.string, let opsPort = URL(string: ops)?.port
        else {
            await kill()
            throw failure("the server did not start")
        }
        // The phones and the lab's users know these ports, so a later start must use them again.
        environment["EYOT_HTTP_PORT"] = "\(port)"
        environment["EYOT_OPS_PORT"] = "\(opsPort)"
        if clock.seconds > 0 { advanceClock(by: clock.seconds) }
        return (http, ops)
    }

    /// Advances the server's clock.
    func advanceClock(by seconds: Double) {
        // The write may fail if the server is ending. The next start sends the whole lead.
        try? running?.input.write(contentsOf: Data("advance \(seconds)\n".utf8))
    }

    /// Stops the server, and returns when it has ended. It is killed after ``stopTimeout``.
    func stop() async {
        guard let running else { return }
        let process = running.process
        process.terminate()
        // Not a sleep of this task, because a lab often stops after its task was cancelled.
        let deadline = DispatchTime.now() + Self.stopTimeout
        DispatchQueue.global().asyncAfter(deadline: deadline) { sendSignal(SIGKILL, to: process) }
        await running.exit.value
        self.running = nil
    }

    /// Ends the server without a warning, like a crash.
    func kill() async {
        guard let running else { return }
        sendSignal(SIGKILL, to: running.process)
        await running.exit.value
        self.running = nil
    }

    // MARK: Processes

    private func launch(
        _ arguments: [String], input: Pipe?
    ) throws -> (Process, AsyncStream<[UInt8]>, exit: Task<Void, Never>) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardError = try logHandle()
        let output = Pipe()
        process.standardOutput = output
        // A reader wants the first line, or the whole of a short answer. A server's later lines are dropped.
        let (chunks, chunk) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(256))
        let (exits, exited) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in exited.finish() }
        do {
            try process.run()
        } catch {
            throw LabError.server("\(executable.path) cannot be run: \(error)")
        }
        Self.read(output.fileHandleForReading, into: chunk)
        return (process, chunks, Task { for await _ in exits {} })
    }

    /// Reads to the end, in its own thread because reading blocks. On Linux a `readabilityHandler` was observed to miss
    /// the end.
    private static func read(_ handle: FileHandle, into chunk: AsyncStream<[UInt8]>.Continuation) {
        Thread.detachNewThread {
            while case let data = handle.availableData, !data.isEmpty { chunk.yield(Array(data)) }
            chunk.finish()
        }
    }

    private func logHandle() throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        return handle
    }

    private static func firstLine(of output: AsyncStream<[UInt8]>) async -> [UInt8]? {
        await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var line: [UInt8] = []
                for await chunk in output {
                    line += chunk
                    if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
                }
                return nil
            }
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

/// Sends a signal to a child process that still runs.
private func sendSignal(_ signal: Int32, to process: Process) {
    if process.isRunning { kill(process.processIdentifier, signal) }
}
