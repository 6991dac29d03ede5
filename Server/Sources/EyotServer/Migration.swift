import EyotContract
import EyotPostgres
import EyotSQLite
import EyotStore

/// The migration of a database before a server runs with it.
package enum Migration {
    /// Returns what a migration would do. Nothing is written.
    ///
    /// - Throws: ``StartFault`` if there is no database; ``StoreError`` if this program does not work with it.
    package static func check(_ configuration: ServerConfiguration) throws -> SchemaPlan {
        try configuration.requireDatabase()
        return try plan(configuration.database)
    }

    /// Returns what opening a database would do to its schema, with the checks of a start. Nothing is written.
    ///
    /// - Throws: ``StoreError`` if this program does not work with it.
    package static func plan(_ database: ServerConfiguration.Database) throws -> SchemaPlan {
        switch database {
        case .sqlite(let path): try SQLiteDatabase.plan(path: path)
        case .postgres(let url): try PostgresDatabase.plan(url)
        }
    }

    /// Whether other programs have copied the database to its place, and no operator has adopted it.
    package static func isUnadoptedCopy(_ database: ServerConfiguration.Database) throws -> Bool {
        guard case .postgres(let url) = database else { return false }
        return try PostgresDatabase.isUnadoptedCopy(url)
    }

    /// Returns the statements of a migration, for people who run them themselves. Nothing is written.
    ///
    /// - Returns: Nothing if nothing is to be done.
    /// - Throws: ``StoreError`` if this program does not work with the database; ``StartFault`` for a file.
    package static func script(_ configuration: ServerConfiguration) throws -> [String] {
        guard case .postgres(let url) = configuration.database else {
            throw StartFault.databaseIsFile(insteadUse: "eyot migrate")
        }
        return try PostgresDatabase.script(url)
    }

    /// Brings the database to the version of this program.
    ///
    /// A server may run with the database meanwhile if it works with each of the steps.
    ///
    /// - Parameter report: Receives each step that is taken, and each batch of a step.
    /// - Returns: What was to be done, and the version that the database has now.
    /// - Throws: ``StoreError``, also ``StoreError/inUse(process:)`` if a server runs that the steps would break.
    package static func run(
        _ configuration: ServerConfiguration, report: (SchemaProgress) -> Void
    ) throws -> (plan: SchemaPlan, version: Int) {
        let plan = try check(configuration)
        let lock: ServingLock?
        do {
            lock = try configuration.lockDatabase()
        } catch let error as StoreError {
            guard case .inUse = error, plan.isOnline else { throw error }
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        let database = try configuration.openDatabase(report: report)
        let version = database.schema
        try database.close()
        return (plan, version)
    }

    /// The code of a refusal; nil for other errors.
    package static func code(of error: any Error) -> String? { (error as? StoreError)?.kind }
}

extension SchemaPlan {
    /// The plan as an object.
    package var json: JSONValue {
        [
            "schema": .integer(found), "known": .integer(known), "recordsHashes": .bool(recordsHashes),
            "online": .bool(isOnline),
            "steps": .array(
                pending.map { step in
                    var row = JSONObject([("number", .integer(step.number)), ("name", .string(step.name))])
                    row["place"] = step.place.map { .integer(Int($0)) }
                    return .object(row)
                }),
        ]
    }

    /// The plan in sentences.
    package var lines: [String] {
        guard !pending.isEmpty else {
            let ending =
                recordsHashes ? " Its history gets hashes, in one short transaction." : " Nothing is to be done."
            return ["The database has schema \(found); this program has schema \(known)." + ending]
        }
        let online =
            found == 0
            ? "The database is new."
            : isOnline
                ? "A server that runs with the database can go on meanwhile."
                : "Stop the server before the migration: it does not work with these steps."
        let steps = pending.map { step in
            "step \(step.number), \(step.name): "
                + (step.place.map { "to be continued after row \($0)" } ?? "to be taken")
        }
        return ["The database has schema \(found); this program has schema \(known). \(online)"] + steps
    }
}

extension SchemaProgress {
    /// The progress in a sentence.
    package var line: String {
        guard let fill else { return "step \(step), \(name): done" }
        return "step \(step), \(name): \(fill.place) of \(fill.end) rows"
    }
}
