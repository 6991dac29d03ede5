/// A table with its columns, and the statements that name all of them.
///
/// A row's values are always in the order of ``columns``: the key, the columns that never change, the columns that may.
struct SQLTable: Sendable {
    let name: String
    let key: [String]
    let fixed: [String]
    let changing: [String]

    init(_ name: String, key: String..., fixed: [String] = [], changing: [String]) {
        self.name = name
        self.key = key
        self.fixed = fixed
        self.changing = changing
    }

    var columns: [String] { key + fixed + changing }

    /// Inserts a row. Takes all values.
    var insert: SQLStatement { SQLStatement(insertText(columns)) }

    /// Inserts a row under a key that the database chooses, and returns the key. Takes all values except the key.
    var insertNew: SQLStatement {
        SQLStatement("\(insertText(fixed + changing)) RETURNING \(key.joined(separator: ", "))")
    }

    /// The same, for a key that is not needed. To return it takes longer than to store it.
    var insertUnderNewKey: SQLStatement { SQLStatement(insertText(fixed + changing)) }

    /// Inserts `count` rows under keys that the database chooses. Takes the values of each row except the key, and then
    /// the value of `column`, which all of them share.
    func insertNew(rows count: Int, sharing column: String) -> SQLStatement {
        let columns = fixed + changing
        let rows = (0..<count).map { row in
            let values = columns.indices.map { "?\(row * columns.count + $0 + 1)" } + ["?\(count * columns.count + 1)"]
            return "(\(values.joined(separator: ", ")))"
        }
        let names = (columns + [column]).joined(separator: ", ")
        return SQLStatement("INSERT INTO \(name) (\(names)) VALUES \(rows.joined(separator: ", "))")
    }

    /// Inserts a row, or changes the row with the same key. Takes all values.
    var upsert: SQLStatement {
        let changes = (fixed + changing).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return SQLStatement(
            "\(insertText(columns)) ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes)")
    }

    /// Changes a row. Takes ``SQLRecord/changingValues``.
    var update: SQLStatement { SQLStatement(updateText(changing)) }

    /// Inserts a row unless its key exists. Takes all values.
    var insertWhereAbsent: SQLStatement {
        SQLStatement("\(insertText(columns)) ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING")
    }

    /// Changes a row if the columns `seen` still hold known values. Takes ``SQLRecord/changingValues`` and these
    /// values.
    func update(where seen: String...) -> SQLStatement {
        let first = key.count + changing.count + 1
        let conditions = seen.enumerated().map { " AND \($1) = ?\(first + $0)" }.joined()
        return SQLStatement(updateText(changing) + conditions)
    }

    /// A column with the expression that computes it.
    typealias Derived = (column: String, expression: String)

    /// Inserts a row. Takes all values, and the parameters of the expressions.
    func insert(adding further: Derived...) -> SQLStatement {
        SQLStatement(insertText(columns, adding: further))
    }

    /// Inserts a row with a column that an expression computes. Takes all values but that column's.
    func insert(computing column: String, by expression: String) -> SQLStatement {
        SQLStatement(insertText(columns.filter { $0 != column }, adding: [(column, expression)]))
    }

    /// Removes the rows with the oldest moments. Takes the moment before which rows are removed, and how many at most.
    func removeOldest(by moment: String) -> SQLStatement {
        let found = key.map { "o.\($0)" }.joined(separator: ", ")
        return SQLStatement(
            """
            DELETE FROM \(name) WHERE (\(key.joined(separator: ", "))) IN \
            (SELECT \(found) FROM \(name) o WHERE o.\(moment) < ?1 ORDER BY o.\(moment) LIMIT ?2)
            """)
    }

    /// Changes some columns of a row. Takes the key's values, those of the columns, and the parameters of the
    /// expressions.
    func update(_ columns: [String], adding further: [Derived]) -> SQLStatement {
        SQLStatement(updateText(columns, adding: further))
    }

    /// Selects all columns.
    func select(_ rest: String) -> SQLStatement { SQLStatement(selectText(rest)) }

    /// The text that selects all columns, and further ones. It calls the table `r`, so that others can be joined.
    func selectText(_ rest: String, adding further: [String] = []) -> String {
        "SELECT \((columns.map { "r.\($0)" } + further).joined(separator: ", ")) FROM \(name) r \(rest)"
    }

    /// Inserts a series of rows that differ in two columns. One column counts up by one from row to row. Takes all
    /// values of the first row, and then each row's value of the other column, NULL after the last row.
    ///
    /// One statement for many rows is worth it, because the work around a statement takes longer than storing a row.
    ///
    /// - Parameter rows: The most rows.
    func insertSeries(
        of rows: Int, counting counted: String, varying varied: String, adding further: Derived...
    ) -> SQLStatement {
        let values = columns.enumerated().map { index, column in
            switch column {
            case counted: "?\(index + 1) + column1"
            case varied: "column2"
            default: "?\(index + 1)"
            }
        }
        let series = (0..<rows).map { "(\($0), ?\(columns.count + $0 + 1))" }.joined(separator: ", ")
        return SQLStatement(
            """
            INSERT INTO \(name) (\((columns + further.map(\.column)).joined(separator: ", "))) \
            SELECT \((values + further.map(\.expression)).joined(separator: ", ")) FROM (VALUES \(series)) series \
            WHERE series.column2 IS NOT NULL
            """)
    }

    private func insertText(_ columns: [String], adding further: [Derived] = []) -> String {
        let names = columns + further.map(\.column)
        let values = columns.indices.map { "?\($0 + 1)" } + further.map(\.expression)
        return "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }

    private func updateText(_ columns: [String], adding further: [Derived] = []) -> String {
        let changes =
            columns.enumerated().map { "\($1) = ?\(key.count + $0 + 1)" }
            + further.map { "\($0.column) = \($0.expression)" }
        let row = key.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
        return "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(row)"
    }
}

/// A value of the domain that is stored as one row.
protocol SQLRecord {
    static var table: SQLTable { get }
    /// All values, in the order of the table's columns.
    var values: [SQLValue] { get }
    /// Reads the table's columns, in their order.
    init(columns: inout SQLColumns) throws
}

extension SQLRecord {
    /// The values of the key and of the columns that may change.
    var changingValues: [SQLValue] {
        var values = values
        values.removeSubrange(Self.table.key.count..<(values.count - Self.table.changing.count))
        return values
    }
}

/// The SQL condition that a column holds one of some words. It does not use `IN`. For three words or more SQLite builds
/// a table for each statement and searches it for each row. In a table's checks and indices that took half of the time
/// of storing a card.
func anyOf(_ column: String, _ words: String...) -> String {
    "(\(words.map { "\(column) = '\($0)'" }.joined(separator: " OR ")))"
}
