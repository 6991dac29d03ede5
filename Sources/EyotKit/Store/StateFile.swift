import EyotContract
import Foundation

/// The one file with the ``KitState`` of an installation.
struct StateFile: Sendable {
    private let directory: URL
    private var file: URL { directory.appendingPathComponent("eyot.jsonl") }
    /// The new version of the file before it replaces the old one.
    private var newFile: URL { directory.appendingPathComponent("eyot.new.jsonl") }
    /// The place for a file that is invalid. It replaces an earlier one.
    private var asideFile: URL { directory.appendingPathComponent("eyot.corrupt.jsonl") }

    private let read: @Sendable (URL) throws -> Data
    private let exclude: @Sendable (URL) -> Void

    /// Seconds between two tries to read a locked file.
    static let patience = 5.0

    init(
        directory: URL, read: @escaping @Sendable (URL) throws -> Data = { try Data(contentsOf: $0) },
        exclude: @escaping @Sendable (URL) -> Void = Self.excludeFromBackup
    ) {
        self.directory = directory
        self.read = read
        self.exclude = exclude
    }

    /// The result of reading the file at a launch.
    enum Found {
        case nothing
        case state(KitState)
        /// The file cannot be read now, for example before the first unlock after a restart.
        case locked
        /// The content of the file is invalid. The file was moved to this path.
        case corrupt(setAside: String)
    }

    func load() -> Found {
        guard FileManager.default.fileExists(atPath: file.path) else { return .nothing }
        exclude(file)
        let data: Data
        do {
            data = try read(file)
        } catch {
            // A failure to read says nothing about the content.
            return .locked
        }
        do {
            return .state(try KitState(lines: Self.parse(data)))
        } catch {
            // If moving fails, the next save overwrites the invalid file.
            try? FileManager.default.removeItem(at: asideFile)
            try? FileManager.default.moveItem(at: file, to: asideFile)
            return .corrupt(setAside: asideFile.path)
        }
    }

    /// Replaces the file in one step. A reader finds the old state or the new one, even if the app is killed meanwhile.
    ///
    /// It does not wait for the disk, unlike atomic writes of some Foundations, because a phone changes its state a
    /// dozen times at a launch. If the power fails within those seconds, iOS gives the app the same tokens at its next
    /// launch.
    func save(_ state: KitState) throws {
        var bytes: [UInt8] = []
        for line in state.lines {
            line.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        let manager = FileManager.default
        if !manager.fileExists(atPath: directory.path) {
            try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        // Without this option an app's default may forbid reading while the phone is locked, which is when pushes wake
        // it.
        try Data(bytes).write(to: newFile, options: .completeFileProtectionUntilFirstUserAuthentication)
        exclude(newFile)
        guard rename(newFile.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Excludes the file from backups, because a restored backup must not make two phones one installation. Each file
    /// is marked by itself: the folder may be the app's, and every save makes a new file.
    ///
    /// The mark is a hint to the system. A copy on another phone goes unnoticed: both phones show the same secret, and
    /// the server takes them for one.
    private static func excludeFromBackup(_ file: URL) {
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = file
        try? url.setResourceValues(values)
    }

    private static func parse(_ data: Data) throws(JSONSyntaxError) -> [JSONValue] {
        var lines: [JSONValue] = []
        for line in data.split(separator: UInt8(ascii: "\n")) { lines.append(try JSONValue(parsing: line)) }
        return lines
    }
}
