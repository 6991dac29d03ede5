import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

@Suite("Backups of a running server", .timeLimit(.minutes(10)))
struct BackupTests {
    private static let updates = 1_500
    private static let backups = 4
    /// How many updates are under way together.
    private static let atOnce = 25

    /// Makes backups one after the other until the updates are done, a few at least.
    private func makeBackups(_ lab: Lab, in folder: URL, until isDone: @escaping @Sendable () async -> Bool)
        async throws
        -> [String]
    {
        var paths: [String] = []
        while await !isDone() || paths.count < Self.backups {
            let path = folder.appendingPathComponent("\(paths.count).sqlite").path
            _ = try await lab.command(["database", "backup", path, "--json"])
            paths.append(path)
        }
        return paths
    }

    private actor Progress {
        private(set) var score = 0
        func note(_ new: Int) { score = new }
    }

    /// Puts the database of the lab's server aside, and restores a copy in its place.
    private func replaceDatabase(of lab: Lab, by path: String) async throws -> JSONValue {
        let database = String(await lab.description.database.dropFirst("sqlite:".count))
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: database + suffix) {
            try FileManager.default.removeItem(atPath: database + suffix)
        }
        return try await lab.command(["database", "restore", path, "--json"])
    }

    @Test
    func `Each backup under 1,500 updates restores, begins halted, and phones show the newest state after resume`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Rig.run(phones: 3) { lab in
            try await lab.start()
            try await lab.untilShown(score: 0)
            try await lab.untilTokens(3)
            let progress = Progress()
            async let made = makeBackups(lab, in: folder) { await progress.score == Self.updates }
            for first in stride(from: 1, through: Self.updates, by: Self.atOnce) {
                let last = min(first + Self.atOnce - 1, Self.updates)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for score in first..<last { group.addTask { _ = try await lab.declare("update", score: score) } }
                    try await group.waitForAll()
                }
                try await lab.declare("update", score: last)
                await progress.note(last)
            }
            let paths = try await made
            try await lab.untilShown(score: Self.updates)
            var versions: [Int] = []
            for (number, path) in paths.enumerated() where number < Self.backups || number == paths.count - 1 {
                await lab.stopServer()
                let restored = try await replaceDatabase(of: lab, by: path)
                let app = try #require(restored.object?["halted"]?.array?.first?.object)
                #expect(app["cards"] == 3)
                #expect(app["unknownStarts"] == 0)
                try await lab.startServer()
                let report = try await lab.api.call("GET", APIClient.path("v1", "activities", Lab.activity)).body
                versions.append(try #require(report.object?["version"]?.integer))
                // Halted: the server accepts, warns, and sends nothing.
                let pushes = lab.simulator.requestCount
                let score = 10_000 + number
                let declared = try await lab.declare("update", score: score)
                #expect("\(declared)".contains("halt"), "\(declared.text)")
                #expect(lab.simulator.requestCount == pushes)
                let resumed = try await lab.api.call(
                    "POST", APIClient.path("v1", "apps", LabConfiguration.bundleID, "resume"))
                #expect(resumed.isSuccess, "\(resumed.problem)")
                try await lab.untilShown(score: score)
            }
            // The backups are of different moments, and each has all that was committed before it began.
            #expect(versions == versions.sorted())
            #expect(Set(versions).count > 1, "\(versions)")
        }
    }
}
