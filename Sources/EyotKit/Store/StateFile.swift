import EyotContract
import Foundation

/// The one file in which an installation keeps its ``KitState``.
struct StateFile: Sendable {
    private let directory: URL
    private var file: URL { directory.appendingPathComponent("eyot.jsonl") }
    /// Written beside it, and then put in its place.
    private var newFile: URL { directory.appendingPathComponent("eyot.new.jsonl") }
    /// Where a file that cannot be read is put, in place of an earlier one.
    private var asideFile: URL { directory.appendingPathComponent("eyot.corrupt.jsonl") }

    private let read: @Sendable (URL) throws -> Data

    /// Seconds between two tries to read a file that is locked.
    static let patience = 5.0

    init(directory: URL, read: @escaping @Sendable (URL) throws -> Data = { try Data(contentsOf: $0) }) {
        self.directory = directory
        self.read = read
    }

    /// What a launch finds.
    enum Found {
        case nothing
        case state(KitState)
        /// The system does not let anybody read it now, as before the first unlock after a restart.
        case locked
        /// The file was not readable and lies at this path now.
        case corrupt(setAside: String)
    }

    func load() -> Found {
        guard FileManager.default.fileExists(atPath: file.path) else { return .nothing }
        do {
            return .state(try KitState(lines: Self.parse(read(file))))
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            return .locked
        } catch {
            // A reader that fails here loses the file at the next save; that is what setting aside is for.
            try? FileManager.default.removeItem(at: asideFile)
            try? FileManager.default.moveItem(at: file, to: asideFile)
            return .corrupt(setAside: asideFile.path)
        }
    }

    /// Replaces the file in one step: a reader finds the old state or the new one, also where the app is killed meanwhile.
    ///
    /// It does not wait for the disk, which some Foundations do in an atomic write: a phone changes its state a dozen times
    /// at a launch. Should the power fail within those seconds, iOS gives the app the same tokens at its next launch.
    func save(_ state: KitState) throws {
        var bytes: [UInt8] = []
        for line in state.lines {
            line.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        let manager = FileManager.default
        if !manager.fileExists(atPath: directory.path) {
            try manager.createDirectory(at: directory, withIntermediateDirectories: true)
            excludeFromBackup()
        }
        // An app may ask for files that nobody reads while the phone is locked, which is when pushes wake it.
        try Data(bytes).write(to: newFile, options: .completeFileProtectionUntilFirstUserAuthentication)
        guard rename(newFile.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// A back-up restored to another phone must not make two phones one installation.
    private func excludeFromBackup() {
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = directory
        // Only a hint to the system: where it cannot be set, the server notices an installation that is taken.
        try? url.setResourceValues(values)
    }

    private static func parse(_ data: Data) throws(JSONSyntaxError) -> [JSONValue] {
        var lines: [JSONValue] = []
        for line in data.split(separator: UInt8(ascii: "\n")) { lines.append(try JSONValue(parsing: line)) }
        return lines
    }
}
