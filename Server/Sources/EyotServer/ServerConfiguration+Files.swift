import Foundation

extension ServerConfiguration {
    /// The file of the database.
    var databasePath: String {
        switch database {
        case .sqlite(let path): path
        }
    }

    /// The file of the master key. It is not read if the key is a setting itself.
    var masterKeyPath: String { masterKeyFile ?? databasePath + ".master-key" }

    /// Files with secrets that other users can read or write: the database, its log, and the master key's file.
    package var exposedFiles: [String] {
        let keys = masterKey == nil ? [masterKeyPath] : []
        return ([databasePath, databasePath + "-wal"] + keys).filter { !Self.isPrivate($0) }
    }

    /// Whether only its user can open a file. True if there is no such file.
    ///
    /// - Parameter credentials: The folder of credentials that systemd lends to the server; nil for none. The folder is
    ///   the server's own. Some systems lend by an access list, which shows as a mode that a group can read.
    package static func isPrivate(
        _ path: String, credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? NSNumber else { return true }
        let isLent = credentials.map { !$0.isEmpty && path.hasPrefix($0 + "/") } ?? false
        return mode.intValue & (isLent ? 0o037 : 0o077) == 0
    }
}
