/// Why a database refuses statements that it should run. The raw values are the codes that logs, metrics, `eyot doctor`
/// and `/readyz` show.
package enum StatementFault: String, Sendable, Hashable, CaseIterable {
    /// Another process holds the one writer of the file.
    case held = "databaseBusy"
    /// The server's user may not read or change a table.
    case rights = "databaseRights"
    /// The server's user may not create tables.
    case creation = "databaseCreation"
    /// A table or a column is not there, although the schema has it.
    case tables = "databaseTables"
    /// The database has no memory, or no room for temporary files.
    case resources = "databaseResources"
    /// The database cannot read or write its files.
    case files = "databaseFiles"
    /// A person or a program ended the statement.
    case cancelled = "statementCancelled"

    /// What is wrong and what to do, without names that the database said.
    package var sentence: String {
        switch self {
        case .held:
            """
            another process holds the database, so nothing can be written; end its transaction, such as that of a \
            backup by hand or of an open shell
            """
        case .rights:
            """
            the user of EYOT_DATABASE_URL may not use one of Eyot's tables, or their file; give the user its rights \
            back, to read and to write all of them
            """
        case .creation:
            """
            the user of EYOT_DATABASE_URL may not create Eyot's tables; let a user that may run the statements that \
            `eyot migrate --sql` prints, and give this one the rights to read and write the tables
            """
        case .tables:
            """
            a table or a column of the database is missing, so it was changed by hand or the search_path leads \
            elsewhere; `eyot doctor` names it, and undoing the change is enough
            """
        case .resources:
            """
            the database has no memory, or no room for temporary files; look at its log, its memory and \
            temp_file_limit
            """
        case .files:
            "the database cannot read or write its files; look at its disk, and check the file or restore a backup"
        case .cancelled:
            """
            an administrator or a program cancelled a statement of Eyot, as pg_cancel_backend does; calls can be \
            repeated
            """
        }
    }
}
