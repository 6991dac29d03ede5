import EyotDomain

extension Schema {
    /// Reads the version of a database and changes nothing.
    ///
    /// - Throws: ``StoreError`` if the database is newer, or belongs to another program.
    package static func found(in connection: any SQLConnection) throws -> Int {
        let names = try connection.rows(SQLStatement("SELECT name FROM schema_steps ORDER BY step"), []) {
            try $0.text()
        }
        guard names.count <= migrations.count else {
            throw StoreError.schemaNewer(found: names.count, known: migrations.count)
        }
        for (index, name) in names.enumerated() where name != migrations[index].name {
            throw StoreError.schemaForeign(step: index + 1, found: name, expected: migrations[index].name)
        }
        return names.count
    }
}
