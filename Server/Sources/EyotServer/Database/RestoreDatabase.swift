import EyotSQLite
import EyotStore
import Foundation

/// A restore: a copy becomes the database of a server that has none. Each of its apps begins halted.
package struct RestoreDatabase {
    private static let route = "eyot database restore"

    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
    }

    /// Restores a copy. The database gets its name when everything else is done, so a restore that fails leaves
    /// nothing.
    ///
    /// - Throws: ``StoreError``, ``StartFault``, ``SettingError`` and ``SealError``.
    package func callAsFunction(from path: String) throws -> [RestoredApp] {
        let target = try configuration.requireDatabaseFile()
        if let fault = StartFault.database(at: target) { throw fault }
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        for taken in [target, target + "-wal"] where FileManager.default.fileExists(atPath: taken) {
            throw StartFault.databaseExists(taken)
        }
        let temporary = target + ".restoring"
        for suffix in ["", "-wal", "-shm"] { unlink(temporary + suffix) }
        defer { for suffix in ["", "-wal", "-shm"] { unlink(temporary + suffix) } }
        _ = try DatabaseCopy.write(path, to: temporary)
        let restored = try SQLiteDatabase(path: temporary).closing {
            try Adoption(configuration: configuration, route: Self.route)($0)
        }
        try FileManager.default.moveItem(atPath: temporary, toPath: target)
        return restored
    }
}
