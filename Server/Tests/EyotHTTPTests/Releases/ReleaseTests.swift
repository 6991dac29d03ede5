import EyotCommands
import EyotContract
import EyotServer
import EyotTestKit
import EyotVendors
import Foundation
import Testing

@testable import EyotHTTP

/// The API against the descriptions that releases have kept. `scripts/release` runs these tests.
@Suite("A release")
struct ReleaseTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Golden").standardizedFileURL
    private static let variables = ProcessInfo.processInfo.environment

    /// The description of the API as this build would answer it, without what differs between builds of a version.
    private static let document: JSONValue = {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        let routes = API.routes(backend, CallGate(CallLimits()), vendors: Vendors.all)
        return APIDescription(
            routes: routes, vendors: Vendors.all, build: BuildDescription(version: BuildInfo.version, commit: "")
        ).json
    }()

    private static func file(_ version: String) -> URL { folder.appendingPathComponent("openapi-\(version).json") }

    /// The versions of the kept descriptions, the oldest first.
    private static func versions() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap { $0.wholeMatch(of: /openapi-(\d+\.\d+\.\d+)\.json/).map { String($0.1) } }
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    private static func description(_ version: String) throws -> JSONValue {
        try JSONValue(parsing: Data(contentsOf: file(version)))
    }

    @Test func `The API breaks no client of the last release`() throws {
        if Self.variables["WRITE_RELEASE"] == "1" {
            let object = try JSONSerialization.jsonObject(with: Data(Self.document.utf8))
            let text = try JSONSerialization.data(
                withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            try text.write(to: Self.file(BuildInfo.version))
        }
        let last = try #require(try Self.versions().last { $0 != BuildInfo.version } ?? Self.versions().last)
        #expect(ClientComparison(old: try Self.description(last), new: Self.document).breaks == [], "since \(last)")
    }

    @Test(.enabled(if: variables["RELEASE"] == "1"))
    func `The release has kept the description of its API`() throws {
        let kept = try #require(
            try? Self.description(BuildInfo.version), "write it: WRITE_RELEASE=1 swift test --filter ReleaseTests")
        #expect(ClientComparison(old: kept, new: Self.document).breaks == [])
        #expect(ClientComparison(old: Self.document, new: kept).breaks == [], "the kept description is older")
    }
}
