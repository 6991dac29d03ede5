import EyotContract
import EyotDomain

/// The record of a move in each of its databases, in a table of its own beside those of the schema.
///
/// A database that was moved away is refused by servers and commands, so that it never pushes beside its copy.
package struct MoveMark: Sendable, Hashable {
    package enum Direction: String, Sendable {
        /// The database was copied to another one, and is not used any more.
        case to
        /// The database began as a copy of another one.
        case from
    }

    /// The same in both databases.
    package var id: String
    package var direction: Direction
    /// Where the other database is, without user and password.
    package var place: String
    package var at: Instant

    package init(id: String, _ direction: Direction, _ place: String, at: Instant) {
        (self.id, self.direction, self.place, self.at) = (id, direction, place, at)
    }

    private static let table = "database_moves"

    /// Inserts the mark. The first one makes the table.
    package func insert(on side: any MoveSide) throws {
        let (text, dialect) = (side.dialect.text, side.dialect)
        try side.connection.execute(
            SQLStatement(
                composed: """
                    CREATE TABLE IF NOT EXISTS \(Self.table) (id \(text) NOT NULL, direction \(text) NOT NULL, \
                    place \(text) NOT NULL, moved_at \(dialect.integer) NOT NULL, PRIMARY KEY (id, direction)) \
                    \(dialect.clusteredRows)
                    """), [])
        try side.connection.execute(
            SQLStatement(
                composed: "INSERT INTO \(Self.table) (id, direction, place, moved_at) VALUES (?1, ?2, ?3, ?4)"),
            [SQLValue(id), SQLValue(direction.rawValue), SQLValue(place), SQLValue(at)])
    }

    /// Returns the newest mark of a direction; nil if there is none.
    package static func newest(
        _ direction: Direction, on connection: any SQLConnection, _ dialect: SQLDialect
    ) throws -> MoveMark? {
        // A database that was never moved does not have the table.
        let columns = try connection.rows(SQLStatement(dialect.columnsOfTable), [.text(table)]) { try $0.text() }
        guard !columns.isEmpty else { return nil }
        let statement = SQLStatement(
            composed: "SELECT id, place, moved_at FROM \(table) WHERE direction = ?1 ORDER BY moved_at DESC LIMIT 1")
        return try connection.rows(statement, [SQLValue(direction.rawValue)]) { row in
            let (id, place) = (try row.text(), try row.text())
            return MoveMark(id: id, direction, place, at: try row.moment())
        }.first
    }

    /// Removes the marks of moves away, so that servers use the database again.
    package static func removeAway(on side: any MoveSide) throws {
        try side.connection.execute(
            SQLStatement(composed: "DELETE FROM \(table) WHERE direction = ?1"), [SQLValue(Direction.to.rawValue)])
    }

    /// Checks that the database was not moved away.
    ///
    /// - Throws: ``StoreError/moved(to:at:)``.
    package static func requireAbsence(on connection: any SQLConnection, _ dialect: SQLDialect) throws {
        guard let mark = try newest(.to, on: connection, dialect) else { return }
        throw StoreError.moved(to: mark.place, at: RFC3339.text(of: mark.at.date))
    }
}
