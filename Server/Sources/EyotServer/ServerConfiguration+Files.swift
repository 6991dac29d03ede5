import Foundation

extension ServerConfiguration {
    /// The file of the database; nil if it is not in a file of this machine.
    var databasePath: String? {
        switch database {
        case .sqlite(let path): path
        case .postgres: nil
        }
    }

    /// Where the database is, without secrets.
    var databasePlace: String {
        switch database {
        case .sqlite(let path): path
        case .postgres(let url): url.description
        }
    }

    /// The file of the database, for a command that needs one.
    ///
    /// - Throws: ``StartFault`` with `databaseNotFile`.
    func requireDatabaseFile() throws(StartFault) -> String {
        guard let databasePath else { throw .databaseNotFile }
        return databasePath
    }

    /// The file of the master key. It is not read if the key is a setting itself. Nil if no file is named, and there is
    /// no file of the database that it could lie beside.
    var masterKeyPath: String? { masterKeyFile ?? databasePath.map(Self.masterKeyPath) }

    /// The file of the master key beside the file of a database.
    static func masterKeyPath(of database: String) -> String { database + ".master-key" }

    /// Files with secrets that other users can read or write: the database, its log, and the master key's file.
    package var exposedFiles: [String] {
        let keys = masterKey == nil ? [masterKeyPath].compactMap(\.self) : []
        let files = databasePath.map { [$0, $0 + "-wal"] } ?? []
        return (files + keys).filter { !Self.isPrivate($0) }
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
