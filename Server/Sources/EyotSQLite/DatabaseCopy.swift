import EyotDomain
import EyotStore
import Foundation
import GRDB

/// Copies of a database in one file, and what is in such a file.
package enum DatabaseCopy {
    /// What a check has found.
    package struct Report: Sendable, Equatable {
        /// Broken pages, indices, values and references; empty if all is well.
        package var faults: [String]
        /// What SQLite's own check claims and a read does not show.
        package var remarks: [String]
        /// The step of the schema.
        package var schema: Int
        /// The length of the file.
        package var bytes: Int
    }

    /// Copies a database while other processes read and write it. The copy is one moment's state, with access for this
    /// user alone, and has been checked before it gets its name.
    ///
    /// - Parameter target: A path that does not exist yet.
    /// - Throws: ``StoreError``, and the system's errors for the files.
    package static func write(_ path: String, to target: String) throws -> Report {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.failed("there is no database at \(path)")
        }
        try about(path) {
            try DatabaseQueue(path: path, configuration: readOnly).read { try requireTables(of: path, in: $0) }
        }
        let partial = "\(target).\(UUID().uuidString.prefix(8)).partial"
        try create(partial)
        defer { for suffix in ["", "-journal"] { unlink(partial + suffix) } }
        let report = try about(path, writing: target) {
            let source = try DatabaseQueue(path: path, configuration: readOnly)
            let copy = try DatabaseQueue(path: partial, configuration: Configuration())
            try source.backup(to: copy)
            // The copy has no log beside it. A database with a log is not whole without it.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try source.close()
            return try check(partial)
        }
        guard report.faults.isEmpty else {
            throw StoreError.failed("the copy is broken: \(report.faults.joined(separator: "; "))")
        }
        try publish(partial, as: target)
        return report
    }

    /// Gives a file that is whole and closed its second name, durably. The caller removes the first one.
    ///
    /// - Throws: ``StoreError`` if a file has the name already.
    package static func publish(_ partial: String, as target: String) throws {
        try sync(partial)
        // Unlike a rename, a link never replaces a file.
        guard link(partial, target) == 0 else {
            throw StoreError.failed("the copy cannot be named \(target): \(String(cString: strerror(errno)))")
        }
        try sync(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }

    /// Checks a database, its references and its schema, and changes nothing.
    ///
    /// - Throws: ``StoreError`` if the file is not a database of Eyot, or has a newer schema.
    package static func check(_ path: String) throws -> Report {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.failed("there is no file \(path)")
        }
        return try about(path) {
            let queue = try DatabaseQueue(path: path, configuration: readOnly)
            defer { try? queue.close() }
            return try queue.read { database in
                try requireTables(of: path, in: database)
                let schema = try SQLiteDatabase.checkedHistory(GRDBConnection(database), .sqlite).version
                let found = try DatabaseFaults(of: database)
                return Report(
                    faults: found.faults, remarks: found.remarks, schema: schema, bytes: try bytes(of: database))
            }
        }
    }

    /// Reads a database of the newest schema that another process may serve with.
    ///
    /// - Throws: ``StoreError``, and the body's errors.
    package static func read<Result>(_ path: String, _ body: (any Ledger) throws -> Result) throws -> Result {
        try translated {
            let queue = try DatabaseQueue(path: path, configuration: readOnly)
            defer { try? queue.close() }
            return try queue.read { try body(SQLLedger(GRDBConnection($0))) }
        }
    }

    static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteDatabase.busyTimeout)
        return configuration
    }

    private static func requireTables(of path: String, in database: Database) throws {
        guard try database.tableExists("schema_steps") else {
            throw StoreError.failed("\(path) is not a database of Eyot")
        }
    }

    /// Runs the body, and names the file in its error: the database that serves is another one.
    ///
    /// - Parameter target: The file that the body writes.
    private static func about<Result>(
        _ path: String, writing target: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try translated(body)
        } catch StoreError.failed(let detail) where !detail.contains(path) {
            throw StoreError.failed("\(path): \(detail)")
        } catch StoreError.diskFull {
            throw StoreError.failed("\(target ?? path): its disk is full")
        }
    }

    private static func bytes(of database: Database) throws -> Int {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        return pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }

    /// Creates a file for this user alone, because it gets tokens and sealed keys.
    private static func create(_ path: String) throws {
        guard try PrivateFile.makeEmpty(path) else { throw StoreError.failed("\(path) exists already") }
    }

    /// Syncs a file or a folder to the disk.
    private static func sync(_ path: String) throws {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        guard file >= 0, fsync(file) == 0 else {
            throw StoreError.failed("\(path) cannot be synced to the disk: \(String(cString: strerror(errno)))")
        }
    }
}
