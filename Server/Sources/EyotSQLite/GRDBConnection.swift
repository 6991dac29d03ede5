import EyotStore
import Foundation
import GRDB

/// A connection of GRDB's, as far as the statements need it. Lives for one transaction.
final class GRDBConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func rows<Result>(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ read: (inout SQLColumns) throws -> Result
    ) throws -> [Result] {
        try translated {
            let cursor = try Row.fetchCursor(prepare(statement), arguments: bound(arguments))
            var results: [Result] = []
            while let row = try cursor.next() {
                var columns = SQLColumns(GRDBRow(row: row))
                results.append(try read(&columns))
            }
            return results
        }
    }

    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        try translated {
            try prepare(statement).execute(arguments: bound(arguments))
            return database.changesCount
        }
    }

    private func prepare(_ statement: SQLStatement) throws -> Statement {
        statement.isFixed
            ? try database.cachedStatement(sql: statement.text) : try database.makeStatement(sql: statement.text)
    }

    private func bound(_ arguments: [SQLValue]) throws -> StatementArguments {
        StatementArguments(
            try arguments.map { value -> DatabaseValue in
                switch value {
                case .null: return .null
                case .integer(let number): return number.databaseValue
                case .text(let text):
                    // SQLite would cut the text off there.
                    guard !text.utf8.contains(0) else { throw StoreError.textWithNUL }
                    return text.databaseValue
                case .blob(let bytes): return Data(bytes).databaseValue
                }
            })
    }
}

private struct GRDBRow: SQLRow {
    let row: Row

    func value(at column: Int) -> SQLValue {
        let value: DatabaseValue = row[column]
        return switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .string(let text): .text(text)
        case .blob(let data): .blob([UInt8](data))
        // No column holds one; as text it is unreadable wherever a number is expected.
        case .double(let number): .text("\(number)")
        }
    }
}

/// Runs `body` and says in the store's words what the database had against it. Statements' values stay out of it.
func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as DatabaseError {
        let detail = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        throw error.resultCode == .SQLITE_CONSTRAINT ? StoreError.constraint(detail) : StoreError.failed(detail)
    }
}
