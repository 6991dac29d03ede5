import EyotContract
import EyotLab
import Foundation

/// The file in which `eyot lab` writes where it listens, so that `eyot lab phone` finds it. Only its owner can read it.
struct LabFile {
    let url: URL

    /// The file of the lab that began last on this machine.
    static var latest: LabFile {
        let folder =
            ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".eyot", isDirectory: true)
        return LabFile(url: folder.appendingPathComponent("eyot-lab.json"))
    }

    /// Writes the description of a lab. A file that cannot be written keeps no lab from running.
    func write(_ description: JSONValue) {
        let folder = url.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = folder.appendingPathComponent("eyot-lab.\(UUID().uuidString)")
        let isWritten = FileManager.default.createFile(
            atPath: draft.path, contents: Data(description.text.utf8), attributes: [.posixPermissions: 0o600])
        if !isWritten || rename(draft.path, url.path) != 0 {
            Output.err("\(url.path) cannot be written, so `eyot lab phone` needs --lab with the output of --json.")
        }
    }

    /// Removes the file if it still describes this lab.
    func remove(_ description: JSONValue) {
        if (try? read()) == description { try? FileManager.default.removeItem(at: url) }
    }

    /// Reads the description.
    func read() throws -> JSONValue { try JSONValue(parsing: [UInt8](Data(contentsOf: url))) }

    /// Returns a client for the control API of the lab.
    ///
    /// - Throws: ``CommandFailure`` if there is no such lab.
    func client() throws -> APIClient {
        guard let lab = try? read().object, let control = lab["control"]?.string.flatMap(URL.init(string:)),
            let secret = lab["controlSecret"]?.string
        else {
            throw CommandFailure(
                "\(url.path) describes no lab. Start `eyot lab`, or name the output of `eyot lab --json` with --lab.")
        }
        return APIClient(server: control, key: secret)
    }
}
