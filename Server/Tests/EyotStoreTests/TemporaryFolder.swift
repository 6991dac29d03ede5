import Foundation

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "eyot-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }
}
