import EyotStore

/// The indices of later steps, which are made while others write to their tables. An interrupted build leaves an index
/// that is not valid. It slows writes and serves no read, so it is made anew.
struct IndexBuilder {
    /// How often the making of an index is tried.
    private static let attempts = 5

    private enum Statements {
        /// The indices with whether they are valid, and whether a process is at work on them.
        static let states = SQLStatement(
            """
            SELECT c.relname, CASE WHEN i.indisvalid THEN 1 ELSE 0 END, CASE WHEN EXISTS \
            (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid) THEN 1 ELSE 0 END \
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
            WHERE c.relnamespace = CAST(current_schema() AS REGNAMESPACE)
            """)
        /// A large table takes longer than a statement of a call may.
        static let noLimit = SQLStatement("SET statement_timeout = 0")
        static let pause = SQLStatement("SELECT pg_sleep(1)")
    }

    private enum State { case valid, broken, underWay, missing }

    let connection: PostgresConnection

    /// Makes those that are missing or broken, and waits for those that another process makes.
    ///
    /// - Parameter report: Receives each index that this process has made.
    func make(_ indices: [PlainIndex], report: (PlainIndex) -> Void) throws {
        let wanting = try lacking(indices)
        guard !wanting.isEmpty else { return }
        try connection.execute(Statements.noLimit, [])
        for index in wanting {
            try make(index)
            report(index)
        }
    }

    private func lacking(_ indices: [PlainIndex]) throws -> [PlainIndex] {
        let states = try states()
        return indices.filter { states[$0.name] != .valid }
    }

    private func make(_ index: PlainIndex) throws {
        var attempts = 0
        while attempts < Self.attempts {
            do {
                switch try states()[index.name] ?? .missing {
                case .valid: return
                case .underWay: _ = try connection.answer(Statements.pause, [])
                case .broken: try run("DROP INDEX CONCURRENTLY IF EXISTS \(index.name)")
                case .missing:
                    try run(index.creationBesideWrites)
                    attempts += 1
                }
            } catch StoreError.conflict {
                // Another process began to make it in the same moment, and both waited for each other.
                attempts += 1
            }
        }
        throw StoreError.failed("the index \(index.name) could not be made: see the server's log")
    }

    private func states() throws -> [String: State] {
        let rows = try connection.rows(Statements.states, []) { row in
            let name = try row.text()
            let (isValid, isUnderWay) = (try row.flag(), try row.flag())
            return (name, isValid ? State.valid : isUnderWay ? .underWay : .broken)
        }
        return Dictionary(rows) { first, _ in first }
    }

    private func run(_ statement: String) throws { try connection.execute(SQLStatement(composed: statement), []) }
}
