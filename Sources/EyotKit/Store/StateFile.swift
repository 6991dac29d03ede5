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
    private let exclude: @Sendable (URL) -> Void

    /// Seconds between two tries to read a file that is locked.
    static let patience = 5.0

    init(
        directory: URL, read: @escaping @Sendable (URL) throws -> Data = { try Data(contentsOf: $0) },
        exclude: @escaping @Sendable (URL) -> Void = Self.excludeFromBackup
    ) {
        self.directory = directory
        self.read = read
        self.exclude = exclude
    }

    /// What a launch finds.
    enum Found {
        case nothing
        case state(KitState)
        /// It cannot be read now, as before the first unlock after a restart.
        case locked
        /// What is in the file makes no sense, and lies at this path now.
        case corrupt(setAside: String)
    }

    func load() -> Found {
        guard FileManager.default.fileExists(atPath: file.path) else { return .nothing }
        exclude(file)
        let data: Data
        do {
            data = try read(file)
        } catch {
            // Whatever keeps it from being read says nothing of what is in it.
            return .locked
        }
        do {
            return .state(try KitState(lines: Self.parse(data)))
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
        }
        // An app may ask for files that nobody reads while the phone is locked, which is when pushes wake it.
        try Data(bytes).write(to: newFile, options: .completeFileProtectionUntilFirstUserAuthentication)
        exclude(newFile)
        guard rename(newFile.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// A back-up restored to another phone must not make two phones one installation. Each file says so by itself, since the folder may be
    /// the app's, and every save makes a new file.
    ///
    /// It is a hint to the system. Where a copy comes to another phone all the same, nobody notices: both show the same secret, and the
    /// server takes them for one.
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
