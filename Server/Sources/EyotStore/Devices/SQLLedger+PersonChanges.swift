import EyotDomain

private enum Statements {
    static let number = SQLStatement("SELECT number FROM person_changes WHERE app = ?1")
    static let raise = SQLStatement(
        """
        INSERT INTO person_changes (app, number) VALUES (?1, 1) \
        ON CONFLICT (app) DO UPDATE SET number = person_changes.number + 1 RETURNING number
        """)
}

extension SQLLedger {
    package func personNumber(of app: AppID) throws -> Int {
        try connection.rows(Statements.number, [SQLValue(app)]) { try $0.integer() }.first ?? 0
    }

    package func raisePersonNumber(of app: AppID) throws -> Int {
        guard let number = try connection.rows(Statements.raise, [SQLValue(app)], { try $0.integer() }).first else {
            throw StoreError.failed("a change of person has no number")
        }
        return number
    }
}
