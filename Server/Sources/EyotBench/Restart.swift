import APNSSimulator
import EyotDomain
import EyotLab
import Foundation

/// A measurement of a server with very many activities that is killed with a long log and starts again. It shows the
/// time to the first call and the memory, beside a server with an empty store.
public struct Restart: Sendable {
    /// The number of activities with one card.
    public var activities: Int
    /// The updates in the log when the server is killed.
    public var updates: Int
    /// The number of restarts.
    public var rounds: Int

    private static let connections = 64
    /// The age in seconds at which the server's memory is read.
    private static let life = 3.0

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - activities: 1,000 or more.
    ///   - updates: at most the number of activities.
    ///   - rounds: 1 or more.
    public init(activities: Int, updates: Int, rounds: Int) {
        self.activities = activities
        self.updates = updates
        self.rounds = rounds
    }

    /// The figures of one start.
    private struct Start {
        var seconds: Double
        var bytesRead: Int
        var memory: Int
    }

    /// Runs the measurement.
    ///
    /// - Parameters:
    ///   - executable: the `eyot` executable that runs the server.
    ///   - progress: called with lines about the progress.
    public func run(
        executable: URL, progress: @escaping @Sendable (String) -> Void
    ) async throws -> BenchReport {
        var configuration = LabConfiguration(executable: executable)
        configuration.receiver = PushReceiverClosure { _ in .accepted }
        configuration.recordedPushes = 0
        configuration.serverLogLevel = "error"
        return try await Lab.run(configuration) { lab in
            await lab.stopServer()
            let files = StoreFiles(of: await lab.description.database)
            defer { files.forget() }
            try files.keep("empty")
            progress("filling a store with \(activities) activities of one card")
            let filled = try await BenchStore(of: files.database, bundleID: LabConfiguration.bundleID)
            try await filled.fillOrders(activities)
            try await filled.remove()
            progress("killing a server with \(updates) updates in its log")
            try await fillLog(lab, files)
            let sizes = try files.sizes(of: "full")
            var (empty, full): ([Start], [Start]) = ([], [])
            for number in 1...rounds {
                empty.append(try await start(from: "empty", lab, files))
                full.append(try await start(from: "full", lab, files))
                progress("round \(number) of \(rounds): \(BenchReport.text(full[number - 1].seconds)) s")
            }
            return report(sizes, empty, full)
        }
    }

    /// Fills the log. An open read keeps SQLite from folding the log back, so that the server leaves it long.
    private func fillLog(_ lab: Lab, _ files: StoreFiles) async throws {
        let reader = try await BenchStore(of: files.database, bundleID: LabConfiguration.bundleID)
        let isOver = DispatchSemaphore(value: 0)
        async let reading: Void = reader.store.read { ledger in
            _ = try ledger.apps()
            isOver.wait()
        }
        defer { isOver.signal() }
        try await lab.startServer()
        let description = await lab.description
        guard let port = URL(string: description.http)?.port else { throw BenchError.missing("the server's port") }
        let (key, activities) = (Secret(description.apiKey), activities)
        let answered = await HTTPLoad(port: port, connections: Self.connections).run(calls: updates) { call in
            Orders.update(BenchStore.order(1 + BenchStore.scattered(call, of: activities)), state: call, key)
        }
        await lab.killServer()
        guard answered == updates else { throw BenchError.lost(pushes: answered, of: updates) }
        try files.keep("full")
        isOver.signal()
        try await reading
        try await reader.remove()
    }

    private func start(from set: String, _ lab: Lab, _ files: StoreFiles) async throws -> Start {
        try files.putBack(set)
        let begin = ContinuousClock.now
        try await lab.startServer()
        let answer = try await lab.api.call("GET", "/readyz")
        let seconds = begin.duration(to: .now).seconds
        guard answer.isSuccess, let process = await lab.serverPID else {
            throw BenchError.refused(call: "/readyz", reason: answer.problem)
        }
        let read = ProcessUsage.bytesRead(by: process)
        try await Task.sleep(for: .seconds(Self.life))
        let memory = ProcessUsage.memory(of: process)
        await lab.killServer()
        return Start(seconds: seconds, bytesRead: read, memory: memory)
    }

    private func report(_ sizes: (store: Int, log: Int), _ empty: [Start], _ full: [Start]) -> BenchReport {
        func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_000_000 }
        var report = BenchReport(name: "restart", rounds: rounds)
        report.add("activities", Double(activities), "")
        report.add("store", megabytes(sizes.store), "MB")
        report.add("log", megabytes(sizes.log), "MB")
        report.add("from the start of the process until it is ready", full.map(\.seconds), "s", goal: .atMost(2))
        report.add("the same with an empty store", empty.map(\.seconds), "s")
        report.add("read until then", full.map { megabytes($0.bytesRead) }, "MB")
        report.add("the same with an empty store", empty.map { megabytes($0.bytesRead) }, "MB")
        report.add("memory after \(Int(Self.life)) s", full.map { megabytes($0.memory) }, "MB")
        report.add("the same with an empty store", empty.map { megabytes($0.memory) }, "MB")
        return report
    }
}

/// The files of a closed store, which are kept at a moment and restored.
private struct StoreFiles {
    /// The value of the server's setting.
    let database: String
    private let path: String
    private let kept: URL

    init(of database: String) {
        self.database = database
        path = String(database.dropFirst("sqlite:".count))
        kept = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-restart-\(UUID())")
    }

    /// The files that SQLite keeps. The third one is shared by running processes, and a loss of power removes it.
    private static let suffixes = ["", "-wal"]

    private func file(_ suffix: String, in set: String) -> String {
        kept.appendingPathComponent("\(set)\(suffix)").path
    }

    func keep(_ set: String) throws {
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        for suffix in Self.suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: file(suffix, in: set))
        }
    }

    func putBack(_ set: String) throws {
        for suffix in Self.suffixes + ["-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        for suffix in Self.suffixes where FileManager.default.fileExists(atPath: file(suffix, in: set)) {
            try FileManager.default.copyItem(atPath: file(suffix, in: set), toPath: path + suffix)
        }
    }

    func sizes(of set: String) throws -> (store: Int, log: Int) {
        func size(_ suffix: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: file(suffix, in: set))[.size] as? Int ?? 0
        }
        return (try size(""), try size("-wal"))
    }

    /// Removes the kept files. The system removes those that cannot be removed here.
    func forget() { try? FileManager.default.removeItem(at: kept) }
}
