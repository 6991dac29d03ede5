import Foundation

extension ServerConfiguration {
    /// The file of the database.
    private var databasePath: String {
        switch database {
        case .sqlite(let path): path
        }
    }

    /// The file of the master key, if it is not a setting itself.
    var masterKeyPath: String { masterKeyFile ?? databasePath + ".master-key" }

    /// Files with secrets that other users can read or write: the database, its log, and the master key's file.
    package var exposedFiles: [String] {
        let keys = masterKey == nil ? [masterKeyPath] : []
        return ([databasePath, databasePath + "-wal"] + keys).filter { !Self.isPrivate($0) }
    }

    /// Whether only its user can open a file, or there is no such file.
    package static func isPrivate(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? NSNumber else { return true }
        return mode.intValue & 0o077 == 0
    }
}
