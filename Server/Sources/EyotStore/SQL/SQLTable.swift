/// A table and its columns, from which the statements that name all of them are written.
///
/// A row's values are always in the order of ``columns``: key, what never changes, what may.
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

    /// Takes all values.
    var insert: SQLStatement { SQLStatement(insertText(columns)) }

    /// Takes all values but the key, and answers with the key that the database gave.
    var insertNew: SQLStatement {
        SQLStatement("\(insertText(fixed + changing)) RETURNING \(key.joined(separator: ", "))")
    }

    /// Takes all values but the key, which the database gives, of so many rows, and then what they all have in a further column.
    func insertNew(rows count: Int, sharing column: String) -> SQLStatement {
        let columns = fixed + changing
        let rows = (0..<count).map { row in
            let values = columns.indices.map { "?\(row * columns.count + $0 + 1)" } + ["?\(count * columns.count + 1)"]
            return "(\(values.joined(separator: ", ")))"
        }
        let names = (columns + [column]).joined(separator: ", ")
        return SQLStatement("INSERT INTO \(name) (\(names)) VALUES \(rows.joined(separator: ", "))")
    }

    /// Takes all values; a row of the same key takes the new ones.
    var upsert: SQLStatement {
        let changes = (fixed + changing).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return SQLStatement(
            "\(insertText(columns)) ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes)")
    }

    /// Takes ``SQLRecord/changingValues``.
    var update: SQLStatement { SQLStatement(updateText(changing)) }

    /// Takes all values. Where there is a row of the same key, nothing happens.
    var insertWhereAbsent: SQLStatement {
        SQLStatement("\(insertText(columns)) ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING")
    }

    /// Takes ``SQLRecord/changingValues``, and what these columns have to hold before.
    func update(where seen: String...) -> SQLStatement {
        let first = key.count + changing.count + 1
        let conditions = seen.enumerated().map { " AND \($1) = ?\(first + $0)" }.joined()
        return SQLStatement(updateText(changing) + conditions)
    }

    /// A column that is worked out.
    typealias Derived = (column: String, expression: String)

    /// Takes all values and what the expressions need beside them.
    func insert(adding further: Derived...) -> SQLStatement {
        SQLStatement(insertText(columns, adding: further))
    }

    /// Takes the values of the key, those of the columns, and what the expressions need beside them.
    func update(_ columns: [String], adding further: [Derived]) -> SQLStatement {
        SQLStatement(updateText(columns, adding: further))
    }

    /// Selects all columns.
    func select(_ rest: String) -> SQLStatement { SQLStatement(selectText(rest)) }

    /// The text of a selection of all columns, and further ones. The table is called `r` where others are joined.
    func selectText(_ rest: String, adding further: [String] = []) -> String {
        "SELECT \((columns.map { "r.\($0)" } + further).joined(separator: ", ")) FROM \(name) r \(rest)"
    }

    /// Takes all values of the first of some rows, and then what each of them has in one column; NULL where there is no further row.
    /// In another column each has one more than the row before; in all others they are alike.
    ///
    /// - Parameter rows: the most. What a database does around a statement takes longer than storing a row.
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
            SELECT \((values + further.map(\.expression)).joined(separator: ", ")) FROM (VALUES \(series)) \
            WHERE column2 IS NOT NULL
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

/// A value of the domain that is kept as one row.
protocol SQLRecord {
    static var table: SQLTable { get }
    /// In the order of the table's columns.
    var values: [SQLValue] { get }
    /// Reads the table's columns, in their order.
    init(columns: inout SQLColumns) throws
}

extension SQLRecord {
    /// The values of the key and of what may change.
    var changingValues: [SQLValue] {
        var values = values
        values.removeSubrange(Self.table.key.count..<(values.count - Self.table.changing.count))
        return values
    }
}

/// That a column holds one of some words, in SQL. Not by `IN`: where a table's checks and indices say it, SQLite makes a table
/// of three words or more for each statement and looks there for each row, which took half of what storing a card takes.
func anyOf(_ column: String, _ words: String...) -> String {
    "(\(words.map { "\(column) = '\($0)'" }.joined(separator: " OR ")))"
}
