import EyotCommands
import EyotDomain
import EyotSQLite
import EyotStore
import Foundation

/// What operators do with the file of a database.
package enum DatabaseFiles {
    /// What a check has found in a file.
    package struct Checked: Sendable {
        package var report: DatabaseCopy.Report
        /// The ids of the master keys that it needs; nil if its schema is older than this program's.
        package var masterKeys: Set<String>?
    }

    /// Copies the database while the server runs.
    ///
    /// - Parameter path: A path that does not exist yet.
    /// - Throws: ``StoreError``.
    package static func backup(_ configuration: ServerConfiguration, to path: String) throws -> Checked {
        try checked(path, try DatabaseCopy.write(configuration.requireDatabaseFile(), to: path))
    }

    /// Checks a copy, or the database itself.
    ///
    /// - Throws: ``StoreError`` if the file is not a database of Eyot, or has a newer schema.
    package static func check(_ path: String) throws -> Checked { try checked(path, try DatabaseCopy.check(path)) }

    private static func checked(_ path: String, _ report: DatabaseCopy.Report) throws -> Checked {
        // An older schema lacks columns that are read here.
        let isNewest = report.schema == SQLiteDatabase.schemaVersion && report.faults.isEmpty
        return Checked(
            report: report, masterKeys: isNewest ? try DatabaseCopy.read(path, SealedKeys.masterKeyIDs) : nil)
    }

    /// Writes the database anew without free pages.
    ///
    /// - Returns: The file's length before and after.
    /// - Throws: ``StoreError/inUse(process:)`` if a server runs with the database.
    package static func vacuum(_ configuration: ServerConfiguration) throws -> (before: Int, after: Int) {
        let path = try configuration.requireDatabaseFile()
        try configuration.requireDatabase()
        let lock = try configuration.lockDatabase()
        defer { withExtendedLifetime(lock) {} }
        let before = try DatabaseSize(of: path).fileBytes
        try SQLiteDatabase(path: path).closing { try $0.vacuum() }
        return (before, try DatabaseSize(of: path).fileBytes)
    }

    package static func size(_ configuration: ServerConfiguration) throws -> DatabaseSize {
        try DatabaseSize(of: configuration.requireDatabaseFile())
    }
}
