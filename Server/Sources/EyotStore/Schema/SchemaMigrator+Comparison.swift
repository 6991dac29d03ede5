extension SchemaMigrator {
    /// Compares the database's tables and indices with those that the steps make.
    ///
    /// Further tables, such as those of a backup program, are allowed. A database that a newer program has changed is
    /// not compared, because its steps are not known here.
    ///
    /// - Parameter empty: Makes an empty database of the same kind, and runs the closure on it.
    /// - Throws: ``StoreError/schemaForeign(_:)``.
    package func compare(
        _ connection: any SQLConnection, _ history: SchemaHistory,
        empty: (_ body: (any SQLConnection) throws -> [String: String]) throws -> [String: String]
    ) throws {
        let found = try definitions(connection)
        guard history.version > 0 else {
            // A backup program may have prepared the empty file.
            let other = found.keys.filter { !$0.hasPrefix("_") }.min()
            if let other { throw StoreError.schemaForeign(.otherTables(other)) }
            return
        }
        guard history.version <= steps.count else { return }
        let expected = try empty { connection in
            for statement in statements.prefix(history.version).joined() {
                try connection.execute(SQLStatement(composed: statement), [])
            }
            return try definitions(connection)
        }
        for (name, definition) in expected.sorted(by: { $0.key < $1.key }) where name != "schema_steps" {
            guard let actual = found[name] else { throw StoreError.schemaForeign(.missing(name)) }
            guard actual == definition else { throw StoreError.schemaForeign(.changed(name)) }
        }
    }

    /// The definitions of tables and indices by name, without the form that a program or a person gave them.
    private func definitions(_ connection: any SQLConnection) throws -> [String: String] {
        let rows = try connection.rows(SQLStatement(dialect.definitions), []) { row in
            let name = try row.text()
            return (name, try row.text())
        }
        return Dictionary(rows.map { ($0, Self.normalised($1)) }) { first, _ in first }
    }

    /// The text without quotation marks around names, and with one space between words.
    static func normalised(_ definition: String) -> String {
        definition.replacing("\"", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")").replacing(" ,", with: ",")
    }
}
