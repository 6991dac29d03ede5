import EyotStore
import Foundation
import GRDB

extension SQLiteDatabase {
    /// Returns what opening the file would do to its schema. Nothing is written, except that an interrupted first
    /// transaction is undone.
    ///
    /// - Parameter mayHaveMoved: Whether a database that was moved away is planned for, too.
    /// - Throws: ``StoreError`` if this program does not work with the database.
    package static func plan(path: String, mayHaveMoved: Bool = false) throws -> SchemaPlan {
        try plan(path: path, by: .sqlite, mayHaveMoved: mayHaveMoved)
    }

    static func plan(path: String, by migrator: SchemaMigrator, mayHaveMoved: Bool = false) throws -> SchemaPlan {
        guard FileManager.default.fileExists(atPath: path) else { return migrator.plan(.empty) }
        return try translated {
            do {
                return try plan(path: path, by: migrator, mayHaveMoved, isReadOnly: true)
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
                // A process that died in its first transaction has left its journal. SQLite undoes it at the next read,
                // if that may write.
                return try plan(path: path, by: migrator, mayHaveMoved, isReadOnly: false)
            }
        }
    }

    private static func plan(
        path: String, by migrator: SchemaMigrator, _ mayHaveMoved: Bool, isReadOnly: Bool
    ) throws -> SchemaPlan {
        var configuration = configuration()
        configuration.readonly = isReadOnly
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            let connection = GRDBConnection(database)
            if !mayHaveMoved { try MoveMark.requireAbsence(on: connection, .sqlite) }
            return try migrator.plan(checkedHistory(connection, migrator))
        }
    }

    /// Brings the database to the version of the program.
    ///
    /// An empty database gets all tables in one transaction. Otherwise each step is a transaction, and each batch of a
    /// step's rows is one.
    ///
    /// - Returns: The version of the database's schema.
    static func migrate(
        _ writer: any DatabaseWriter, by migrator: SchemaMigrator, report: (SchemaProgress) -> Void
    ) throws -> Int {
        let isEmpty = try transaction(writer) { connection in
            try MoveMark.requireAbsence(on: connection, .sqlite)
            let history = try checkedHistory(connection, migrator)
            try migrator.completeHistory(connection)
            guard history.version == 0 else { return false }
            while let progress = try migrator.advance(connection, rows: .max) { report(progress) }
            return true
        }
        var batch = BatchSize()
        while !isEmpty {
            let began = ContinuousClock.now
            guard let progress = try transaction(writer, { try migrator.advance($0, rows: batch.rows) }) else { break }
            batch.adapt(to: began.duration(to: .now))
            report(progress)
        }
        return try transaction(writer) { try migrator.history($0).version }
    }

    /// Reads the history of a database that this program works with, and has compared.
    static func checkedHistory(
        _ connection: GRDBConnection, _ migrator: SchemaMigrator
    ) throws -> SchemaHistory {
        let history = try migrator.history(connection)
        try migrator.check(history)
        try migrator.compare(connection, history) { body in
            try DatabaseQueue().write { try body(GRDBConnection($0)) }
        }
        return history
    }

    private static func transaction<Result>(
        _ writer: any DatabaseWriter, _ body: (GRDBConnection) throws -> Result
    ) throws -> Result {
        try translated { try writer.write { try body(GRDBConnection($0)) } }
    }
}

/// How many rows a batch of a migration has. It follows the time that batches take.
struct BatchSize {
    /// How long a batch should take.
    static let goal = Duration.milliseconds(50)
    static let bounds: ClosedRange<Int64> = 16...50_000

    var rows: Int64 = 500

    /// Halves the size after a slow batch, and doubles it after a fast one.
    mutating func adapt(to time: Duration) {
        if time > Self.goal { rows /= 2 } else if time < Self.goal / 4 { rows *= 2 }
        rows = min(max(rows, Self.bounds.lowerBound), Self.bounds.upperBound)
    }
}
