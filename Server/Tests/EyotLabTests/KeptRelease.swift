import EyotContract
import EyotTestKit
import Foundation
import Testing

/// The database of an earlier release as a lab's folder, with the phones of the play that filled it.
enum KeptRelease {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden", isDirectory: true)
    /// The file with the time of the play's end, in seconds since 1970 by the lab's clock.
    private static let moment = "moment"
    /// What a later lab in the folder makes anew.
    private static let passing: Set = ["lab.lock", "server.log", "apns-ca.pem", "eyot.sqlite.serving"]

    /// The schema versions that are kept.
    static let versions: [Int] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
        return files.compactMap { $0.wholeMatch(of: /schema-(\d+)\.tar\.gz/).flatMap { Int($0.1) } }.sorted()
    }()

    private static func archive(_ version: Int) -> String {
        golden.appendingPathComponent("schema-\(version).tar.gz").path
    }

    /// Keeps a folder in which a play has ended.
    static func keep(_ folder: URL, asSchema version: Int, endedAt end: Date) async throws {
        try Data("\(end.timeIntervalSince1970)\n".utf8).write(to: folder.appendingPathComponent(moment))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !passing.contains($0) }
        let ended = try await Program(
            "tar", ["-czf", archive(version), "--owner=0", "--group=0"] + files.sorted(), in: folder
        ).run()
        try #require(ended.code == 0, "\(ended.words)")
    }

    /// Unpacks a folder. A lab in it goes on a minute after the play's end, because otherwise its cards would be over.
    static func unpack(_ version: Int, into folder: URL) async throws {
        let unpacked = try await Program("tar", ["-xzf", archive(version)], in: folder).run()
        try #require(unpacked.code == 0, "\(unpacked.words)")
        let text = try String(contentsOf: folder.appendingPathComponent(moment), encoding: .utf8)
        let end = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let file = folder.appendingPathComponent("lab.json")
        var secrets = try #require(try JSONValue(parsing: Data(contentsOf: file)).object)
        secrets["clockLead"] = .finite(end + 60 - Date().timeIntervalSince1970)
        try Data(JSONValue.object(secrets).utf8).write(to: file)
    }

    /// Gives a test a folder that goes with it.
    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("upgrade-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
