import EyotContract
import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

@testable import EyotPostgres

/// A database that moves in the middle of a match, with phones.
@Suite("A move in the middle of a match", .serialized, .timeLimit(.minutes(10)))
struct MoveLabTests {
    private static let phones = 12
    private static let masterKey = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("move-\(UUID().uuidString)")

    private func sqlite(_ name: String) -> String { "sqlite:\(folder.appendingPathComponent(name).path)" }

    private func run(_ body: (Lab) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Rig.configuration(phones: Self.phones)
        configuration.serverSettings = ["EYOT_DATABASE_URL": sqlite("one"), "EYOT_MASTER_KEY": Self.masterKey]
        try await Lab.run(configuration) { lab in
            do {
                try await lab.untilStartable(Self.phones, tag: "fans")
                try await body(lab)
            } catch {
                await lab.recordWhatIs()
                throw error
            }
        }
    }

    /// Stops the server, moves its database, and starts it on the copy. Nothing leaves before the resume.
    private func move(_ lab: Lab, from: String, to: String) async throws {
        await lab.stopServer()
        let moved = try await lab.command(["database", "copy", from, to, "--json"])
        let tables = moved.object?["tables"]?.array?.compactMap(\.object) ?? []
        #expect(tables.count > 40)
        #expect(tables.allSatisfy { $0["sha256"] == $0["copySHA256"] && $0["rows"] == $0["copyRows"] })
        #expect(tables.first { $0["table"] == "devices" }?["rows"] == .integer(Self.phones))
        #expect(moved.object?["halted"] == [.string(LabConfiguration.bundleID)])
        await #expect(throws: LabError.self, "the source is refused") { try await lab.startServer() }
        await lab.change("EYOT_DATABASE_URL", to: to)
        try await lab.startServer()
    }

    private func resume(_ lab: Lab) async throws {
        let path = APIClient.path("v1", "apps", LabConfiguration.bundleID, "resume")
        let resumed = try await lab.api.call("POST", path)
        try #require(resumed.isSuccess, "\(resumed.problem)")
    }

    /// Counts the starts that reached Apple.
    private func starts(_ lab: Lab) -> Int {
        lab.simulator.requests(limit: 1_000).count { request in
            String(decoding: request.payload, as: UTF8.self).contains(#""event":"start""#)
        }
    }

    @Test func `A match goes on in PostgreSQL and back in SQLite, with every phone right and no second start`()
        async throws
    {
        let postgres = try await TestPostgres.shared.emptyDatabase().text
        try await run { lab in
            // The server stops while starts are under way.
            try await lab.start()
            try await move(lab, from: sqlite("one"), to: postgres)
            let pushes = lab.simulator.requestCount
            let warned = try await lab.declare("update", score: 1)
            #expect("\(warned)".contains("halt"), "\(warned.text)")
            #expect(lab.simulator.requestCount == pushes)
            try await resume(lab)
            try await lab.untilShown(score: 1)
            try await lab.untilTokens(Self.phones)
            #expect(starts(lab) == Self.phones)

            // And while an update is under way.
            try await lab.declare("update", score: 2)
            try await move(lab, from: postgres, to: sqlite("two"))
            try await resume(lab)
            try await lab.untilShown(score: 2)
            try await lab.declare("update", score: 3)
            try await lab.untilShown(score: 3)
            try await lab.declare("end", score: 4)
            try await lab.untilShown(score: 4, .ended)
            #expect(starts(lab) == Self.phones)
        }
    }

    /// A lock keeps the copy from filling one of its last tables until it is killed.
    @Test func `A copy that is killed leaves an empty target, and the same command does it again`() async throws {
        let postgres = try await TestPostgres.shared.database()
        let holder = PostgresConnection(postgres, application: "holder")
        try holder.connected()
        try await run { lab in
            try await lab.start()
            try await lab.untilTokens(Self.phones)
            await lab.stopServer()
            for statement in ["BEGIN", "LOCK TABLE events IN SHARE MODE"] {
                try holder.execute(SQLStatement(composed: statement), [])
            }
            let copy = Program(
                Rig.executable.path, ["database", "copy", sqlite("one"), postgres.text],
                environment: ["EYOT_CONFIG": "", "EYOT_MASTER_KEY": Self.masterKey])
            let code = try await copy.run { running in
                // The locks of this moment. A transaction sees the activity of its first look.
                let waiting = """
                    SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                    WHERE NOT l.granted AND d.datname = current_database()
                    """
                try await lab.untilServer { try number(waiting, holder) > 0 }
                running.kill()
            }
            #expect(code == 128 + SIGKILL)
            #expect(try number("SELECT COUNT(*) FROM apps", holder) == 0)
            try holder.execute(SQLStatement("COMMIT"), [])
            try await move(lab, from: sqlite("one"), to: postgres.text)
            try await resume(lab)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
        }
        holder.close()
    }

    private func number(_ statement: String, _ connection: PostgresConnection) throws -> Int64 {
        try connection.rows(SQLStatement(composed: statement), []) { try $0.number() }.first ?? 0
    }
}
