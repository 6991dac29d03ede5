import EyotContract
import Foundation

/// The folder with all data of a lab. One lab uses it at a time.
final class LabFolder: Sendable {
    let url: URL
    private let isTemporary: Bool
    /// The lock's file, open while the lab runs. The lock ends with it.
    private let lock: FileHandle

    /// - Parameter url: nil for a new folder, which ``close()`` deletes.
    init(_ url: URL?) throws(LabError) {
        let url = url ?? FileManager.default.temporaryDirectory.appendingPathComponent("eyot-lab-\(UUID().uuidString)")
        self.url = url
        isTemporary = url.path.contains("/eyot-lab-") && !FileManager.default.fileExists(atPath: url.path)
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let lockFile = url.appendingPathComponent("lab.lock")
            if !FileManager.default.fileExists(atPath: lockFile.path) { try Data().write(to: lockFile) }
            lock = try FileHandle(forUpdating: lockFile)
        } catch {
            throw .folder(path: url.path, reason: "\(error)")
        }
        guard flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { throw .folderInUse(path: url.path) }
    }

    /// Releases the folder.
    func close() {
        // A process that is being started shares the open file for a moment, and with it the lock.
        _ = flock(lock.fileDescriptor, LOCK_UN)
        // The system cleans up what cannot be closed or deleted.
        try? lock.close()
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    var database: String { "sqlite:\(url.appendingPathComponent("eyot.sqlite").path)" }
    var certificateAuthority: URL { url.appendingPathComponent("apns-ca.pem") }
    var keyFile: URL { url.appendingPathComponent("AuthKey_\(LabConfiguration.keyID).p8") }
    var secretsFile: URL { url.appendingPathComponent("lab.json") }
    var phonesFile: URL { url.appendingPathComponent("phones.jsonl") }
    var apps: URL { url.appendingPathComponent("apps", isDirectory: true) }

    /// The log of a node: `server.log` if it is the only one, otherwise a file for each.
    func serverLog(_ name: String, of nodes: Int) -> URL {
        url.appendingPathComponent(nodes == 1 ? "server.log" : "\(name).log")
    }

    /// Writes a file atomically, readable only by its owner.
    func write(secret bytes: [UInt8], to file: URL) throws(LabError) {
        let draft = file.appendingPathExtension("new")
        do {
            try? FileManager.default.removeItem(at: draft)
            guard
                FileManager.default.createFile(
                    atPath: draft.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            guard rename(draft.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw .folder(path: file.path, reason: "\(error)")
        }
    }
}
