import EyotDomain

/// A fault of the database, described for its operator.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A row would break an invariant. The detail names the constraint, never the values.
    case constraint(String)
    /// A row that must be changed does not exist.
    case rowMissing(table: String)
    /// A column holds a value that this program never wrote there.
    case unreadable(column: Int, expected: String)
    /// Text with a NUL character, which databases cut off or refuse.
    case textWithNUL
    /// A newer program has changed the database, and says that programs below a schema version do not work with it.
    case schemaNewer(found: Int, known: Int, worksSince: Int)
    /// The schema's history or its tables are not those of this program.
    case schemaForeign(SchemaDifference)
    /// A newer program has begun a step of the schema that this program cannot finish.
    case schemaUnfinished(step: Int, name: String)
    /// Other sessions kept a table locked that a step of the schema changes. The step has changed nothing.
    case schemaLocked(String)
    /// A commit would not survive a loss of power.
    case notDurable(setting: String, found: String)
    /// The database server is one that Eyot does not work with.
    case unsupported(String)
    /// Another process serves with the database.
    case inUse(process: Int?)
    /// The database was copied to another place, and its copy is used instead.
    case moved(to: String, at: String)
    /// A row of a database cannot be kept by another one.
    case rowRefused(table: String, key: String, reason: String)
    /// A process uses a database that has to be at rest. The text says what was found.
    case inUseBy(String)
    /// The disk has no room for the write. The transaction has changed nothing.
    case diskFull
    /// The statement was interrupted, because it took too long or its caller was cancelled.
    case interrupted
    /// The transaction was in conflict with another. It has changed nothing, and can be run again.
    case conflict(String)
    /// The connection was lost before the commit. The transaction has changed nothing, and can be run again.
    case connectionLost(String)
    /// The connection was lost during the commit, and it is not known whether that happened.
    case unknownCommit(String)
    /// The database ended a statement that took too long. The transaction has changed nothing.
    case timedOut
    /// The database refuses statements that it should run. The transaction has changed nothing.
    case refused(StatementFault, String)
    /// The database takes no connection, or not this one.
    case unreachable(ConnectionFault, String)
    /// Any other error, with the database's message.
    case failed(String)

    /// Whether the database takes no transaction at all at the moment.
    package var isOutage: Bool {
        switch self {
        case .unreachable, .refused(.held, _): true
        default: false
        }
    }

    /// Whether the database did not do what it should. The fault is then its operator's, and not that of the call.
    package var isRefusal: Bool {
        switch self {
        case .diskFull, .timedOut, .refused: true
        default: false
        }
    }

    /// Whether the transaction has changed nothing, and may succeed if it is run again.
    package var isTransient: Bool {
        switch self {
        case .conflict, .connectionLost: true
        default: false
        }
    }

    /// The error of a store that is not ready, with what is wrong and what to do.
    package var unready: EyotError {
        switch self {
        case .diskFull: EyotError(.diskFull, sentence)
        case .refused(.held, _): EyotError(.databaseBusy, sentence)
        default: EyotError(.unavailable, "\(kind): \(sentence)")
        }
    }

    /// What is wrong and what to do, without details that could name people, hosts or users.
    package var sentence: String {
        switch self {
        case .unreachable(let fault, _): fault.sentence
        case .timedOut:
            """
            the database ended a statement that took longer than statement_timeout_seconds, or than a \
            statement_timeout of the user, the database or the server; look for locks, and for statements that wait \
            for the disk
            """
        case .refused(let fault, _): fault.sentence
        case .diskFull: "the disk of the database is full; free space on it"
        case .conflict: "other transactions keep the database from committing this one"
        case .connectionLost, .unknownCommit: "the connection to the database was lost"
        default: "the database failed"
        }
    }

    package var description: String {
        switch self {
        case .constraint(let detail): "the database refused a row: \(detail)"
        case .rowMissing(let table): "a row of \(table) that was to be changed is not there"
        case .unreadable(let column, let expected):
            "column \(column) of a row is not \(expected); the database was changed by something else"
        case .textWithNUL: "text with a NUL character cannot be stored"
        case .schemaNewer(let found, let known, let worksSince):
            """
            schemaNewer: the database has schema \(found), and needs a program of schema \(worksSince) or later; this \
            one has schema \(known). Run the newer program, or restore a backup from before its first start
            """
        case .schemaForeign(let difference):
            """
            schemaForeign: the database is not this program's: \(difference). Check EYOT_DATABASE_URL, or restore a \
            backup
            """
        case .schemaUnfinished(let step, let name):
            """
            schemaUnfinished: step \(step) of the database's schema, \(name), stopped half way, and this program \
            cannot finish it. Run `eyot migrate` of the program that began it
            """
        case .schemaLocked(let detail):
            """
            schemaLocked: another session keeps a table locked that a step of the schema changes (\(detail)). Look for \
            it in pg_stat_activity, end it, and start again; nothing is half done
            """
        case .notDurable(let setting, let found):
            "\(setting) reads back as \(found); writes would not survive a loss of power, so Eyot does not start"
        case .unsupported(let reason): "Eyot does not work with this database server: \(reason)"
        case .inUse(let process):
            """
            databaseInUse: another eyot serve uses this database\(process.map { " (process \($0))" } ?? ""); \
            stop it first, or give this one a database of its own with EYOT_DATABASE_URL
            """
        case .inUseBy(let user):
            "databaseInUse: \(user); stop every server with this database first"
        case .moved(let place, let time):
            """
            databaseMoved: the database was copied to \(place) at \(time), and no server uses it any more. Name that one \
            in EYOT_DATABASE_URL. If nothing was accepted there, `eyot database reopen` brings this one back
            """
        case .rowRefused(let table, let key, let reason):
            "rowRefused: the row of \(table) with \(key) cannot be copied: \(reason)"
        case .diskFull: sentence
        case .interrupted: "the statement was interrupted"
        case .conflict(let detail): "the transaction was in conflict with another: \(detail)"
        case .connectionLost(let detail): "the connection to the database was lost: \(detail)"
        case .unknownCommit(let detail):
            "the connection to the database was lost during a commit, which may have happened: \(detail)"
        case .timedOut: "statementTimeout: \(sentence)"
        case .refused(let fault, let detail): "\(fault.rawValue): \(sentence) (\(detail))"
        case .unreachable(let fault, let detail): "\(fault.rawValue): \(sentence) (\(detail))"
        case .failed(let detail): "the database failed: \(detail)"
        }
    }
}
