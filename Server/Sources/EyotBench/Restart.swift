import APNSSimulator
import EyotDomain
import EyotLab
import Foundation

/// A server with very many activities is killed with much in its log, and starts again: how soon it takes calls, and how much memory
/// it holds, beside one with an empty store.
public struct Restart: Sendable {
    /// Activities of one card.
    public var activities: Int
    /// Updates that are in the log when the server is killed.
    public var updates: Int
    /// How often it starts again.
    public var rounds: Int

    private static let connections = 64
    /// Seconds of a server's life after which its memory is read.
    private static let life = 3.0

    /// - Parameters:
    ///   - activities: 1,000 or more.
    ///   - updates: no more than there are activities.
    ///   - rounds: 1 or more.
    public init(activities: Int, updates: Int, rounds: Int) {
        self.activities = activities
        self.updates = updates
        self.rounds = rounds
    }

    /// One start.
    private struct Start {
        var seconds: Double
        var bytesRead: Int
        var memory: Int
    }

    /// - Parameters:
    ///   - executable: the `eyot` executable that runs the server; nil for the running one.
    ///   - progress: told what is going on.
    public func run(
        executable: URL? = nil, progress: @escaping @Sendable (String) -> Void
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

    /// Somebody who reads keeps SQLite from writing the log back, so that the server leaves it long.
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
            Orders.update(BenchStore.order(1 + call &* 7_368_787 % activities), state: call, key)
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

/// The files of a store that nobody has open, kept as they are at a moment and put back.
private struct StoreFiles {
    /// As the server's setting has it.
    let database: String
    private let path: String
    private let kept: URL

    init(of database: String) {
        self.database = database
        path = String(database.dropFirst("sqlite:".count))
        kept = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-restart-\(UUID())")
    }

    /// What SQLite keeps; of the third, which processes share while they run, nothing is left after a loss of power.
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

    /// What cannot be removed is the system's to clear away.
    func forget() { try? FileManager.default.removeItem(at: kept) }
}
