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
    /// The claim of the instance that uses the file.
    let claim: FolderClaim

    /// Seconds before the second try to claim the folder and to read the file. An instance that has just been stopped
    /// needs a moment.
    static let firstPatience = 0.25
    /// Seconds between two later tries.
    static let patience = 5.0
    /// Tries to read the file after which another file is tried.
    static let patientTries = 12
    /// The least bytes that a file has beyond its lines. They give a change room that must be kept when the disk is
    /// full.
    static let spareBytes = 4_096
    /// The file's size is a multiple of this number of bytes.
    private static let blockBytes = 4_096

    /// - Parameter claim: the claim on the folder; nil makes one.
    init(
        directory: URL, claim: FolderClaim? = nil,
        read: @escaping @Sendable (URL) throws -> Data = { try Data(contentsOf: $0) },
        exclude: @escaping @Sendable (URL) -> Void = Self.excludeFromBackup
    ) {
        self.directory = directory
        self.claim = claim ?? FolderClaim(directory: directory)
        self.read = read
        self.exclude = exclude
    }

    /// The result of reading the file at a launch.
    enum Found {
        case nothing
        case state(KitState)
        /// Some lines are broken. The state has all others, and a copy of the file lies at this path.
        case damaged(KitState, lines: Int, setAside: String)
        /// The file cannot be read now, for example before the first unlock after a restart.
        case locked
        /// The content of the file is invalid. The file was moved to this path.
        case corrupt(setAside: String)
    }

    /// The failures to save that are not the system's.
    enum Fault: Error, CustomStringConvertible {
        /// Another instance has written the file.
        case overtaken

        var description: String { "another instance of the SDK has written its file" }
    }

    /// Reads the state and changes nothing. Nil if there is none that can be read.
    func look() -> KitState? { (try? read(file)).flatMap { KitStateReader.read(Self.parse($0))?.state } }

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
        claim.saw(file)
        guard let (state, broken) = KitStateReader.read(Self.parse(data)) else {
            setAside()
            return .corrupt(setAside: asideFile.path)
        }
        guard broken > 0 else { return .state(state) }
        // Without a copy the lines that cannot be read are lost, and nothing else is.
        try? FileManager.default.removeItem(at: asideFile)
        try? FileManager.default.copyItem(at: file, to: asideFile)
        return .damaged(state, lines: broken, setAside: asideFile.path)
    }

    /// Moves a file away that will never be read.
    ///
    /// - Returns: its new path; nil if another file cannot be read either, so that the phone may be locked.
    func giveUp() -> String? {
        let probe = directory.appendingPathComponent("eyot.probe")
        defer { unlink(probe.path) }
        // Of the same protection as the file. Before the first unlock the system lets no app write or read it.
        guard
            (try? Data([0]).write(to: probe, options: .completeFileProtectionUntilFirstUserAuthentication)) != nil,
            (try? read(probe)) != nil
        else { return nil }
        setAside()
        return FileManager.default.fileExists(atPath: file.path) ? nil : asideFile.path
    }

    /// Moves the file away. If that fails, the next save overwrites it.
    private func setAside() {
        try? FileManager.default.removeItem(at: asideFile)
        try? FileManager.default.moveItem(at: file, to: asideFile)
    }

    /// Replaces the file in one step. A reader finds the old state or the new one, even if the app is killed meanwhile.
    /// If there is no room for a second file, the state is written over the old one, which has bytes to spare.
    ///
    /// - Parameter isLasting: whether to wait for the disk. Otherwise it does not wait, unlike atomic writes of some
    ///   Foundations, because a phone changes its state a dozen times at a launch. If the power fails within those
    ///   seconds, iOS gives the app the same tokens at its next launch. It does not say that a person has left.
    func save(_ state: KitState, isLasting: Bool = false) throws {
        guard !claim.isOvertaken(at: file) else { throw Fault.overtaken }
        var bytes: [UInt8] = []
        for line in state.lines {
            line.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        do {
            let whole = (bytes.count + Self.spareBytes + Self.blockBytes - 1) / Self.blockBytes * Self.blockBytes
            try replace(with: Data(bytes + Self.emptyLines(whole - bytes.count)), isLasting: isLasting)
        } catch {
            // A part of the new file may take the room that other files need.
            unlink(newFile.path)
            guard (try? overwrite(with: bytes)) != nil else { throw error }
        }
        claim.saw(file)
    }

    private static func emptyLines(_ count: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "\n"), count: max(0, count))
    }

    private func replace(with data: Data, isLasting: Bool) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: directory.path) {
            try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        // Without this option an app's default may forbid reading while the phone is locked, which is when pushes wake
        // it.
        try data.write(to: newFile, options: .completeFileProtectionUntilFirstUserAuthentication)
        exclude(newFile)
        if isLasting {
            let handle = try FileHandle(forWritingTo: newFile)
            try handle.synchronize()
            try handle.close()
        }
        guard rename(newFile.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Writes over the old state, the person first. If the app is killed meanwhile, a line is torn, and the next launch
    /// keeps the others.
    private func overwrite(with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: file)
        let size = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(bytes + Self.emptyLines(size - bytes.count)))
        try handle.synchronize()
        try handle.close()
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

    private static func parse(_ data: Data) -> [JSONValue?] {
        data.split(separator: UInt8(ascii: "\n")).map { try? JSONValue(parsing: $0) }
    }
}
