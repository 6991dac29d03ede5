/// The words that databases spell differently. All other SQL is written once.
package struct SQLDialect: Sendable, Hashable {
    /// The type of whole numbers of 64 bits.
    var integer: String
    /// The type of text that is compared by its bytes.
    var text: String
    /// The type of bytes.
    var blob: String
    /// The type and constraint of a key that the database counts up and never gives twice.
    var identity: String
    /// The words after the columns of a table.
    var rows: String
    /// The same for a table that stores its rows in the order of the primary key.
    var clusteredRows: String
    /// The statement that lists the names of the columns of table `?1`; none if there is no such table.
    var columnsOfTable: String
    /// The statement that lists the names and definitions of all tables and indices that a program has made.
    var definitions: String

    package static let sqlite = SQLDialect(
        integer: "INTEGER", text: "TEXT", blob: "BLOB", identity: "INTEGER PRIMARY KEY AUTOINCREMENT",
        rows: "STRICT", clusteredRows: "STRICT, WITHOUT ROWID",
        columnsOfTable: "SELECT name FROM pragma_table_info(?1)",
        definitions: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
}
