import Foundation

extension ServerConfiguration {
    /// Files with secrets that others than this user can read or write: the database with the log beside it, and the master
    /// key's.
    package var exposedFiles: [String] {
        let path =
            switch database {
            case .sqlite(let path): path
            }
        let keys = masterKey == nil ? [masterKeyFile ?? path + ".master-key"] : []
        return ([path, path + "-wal"] + keys).filter { !Self.isPrivate($0) }
    }

    /// Whether nobody but its user can open a file, or there is none.
    package static func isPrivate(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? NSNumber else { return true }
        return mode.intValue & 0o077 == 0
    }
}
