import EyotStore
import Synchronization

/// A connection to the database that makes itself anew after it was lost. One thread at a time uses it.
///
/// Statements are prepared at their first use on each connection, under the numbers that they have in the program.
final class PostgresConnection: SQLConnection {
    let url: PostgresURL
    private let application: String
    private var handle: PostgresHandle?
    /// The statements that are prepared on the present connection, by their numbers in the program.
    private var prepared: [Int: Prepared] = [:]
    /// Whether statements are prepared. It ends when the server does not know one that it has prepared: then a pooler
    /// hands transactions to several of its connections.
    private var keepsStatements: Bool
    /// Numbers of statements that the server may not have prepared yet.
    private var unconfirmed: [Int] = []
    private var preparations = 0
    /// How the names of this connection's prepared statements begin.
    private let namesBegin: String
    private(set) var changes = 0
    /// How long the searches of one body may take together; nil for no limit of its own.
    let longestSearch: Duration?
    var searchEnd: ContinuousClock.Instant?
    /// Whether a transaction was begun that has not ended.
    var isInsideTransaction = false
    let numbers = TransactionNumbers()
    /// The mark of this connection's commits.
    var mark = CommitMark()
    /// Whether a transaction found another server than the one that the database remembers.
    private(set) var hasMetSuccessor = false
    static let metSuccessor = StoreError.conflict("the database is on another server than before")
    /// What this process knows to be committed.
    let commits: KnownCommits
    private let report: @Sendable (PostgresReport) -> Void

    let rules: PostgresRules

    /// - Parameters:
    ///   - application: The name under which the server lists the connection.
    ///   - commits: Shared by all writers of the process.
    ///   - report: Receives that another server has taken the place of the former one.
    init(
        _ url: PostgresURL, application: String, longestSearch: Duration? = nil, rules: PostgresRules = PostgresRules(),
        commits: KnownCommits = KnownCommits(), report: @escaping @Sendable (PostgresReport) -> Void = { _ in }
    ) {
        (self.url, self.application, self.longestSearch) = (url, application, longestSearch)
        (self.rules, self.commits, self.report) = (rules, commits, report)
        namesBegin = "\(mark.writer.prefix(18))-"
        keepsStatements = url.keepsStatements ?? false
    }

    /// Whether a statement has failed, so that the server refuses all others of the transaction.
    var hasFailedStatement: Bool { handle?.hasFailedStatement ?? false }

    var hasFailedLate: Bool { handle?.hasFailedLate ?? false }

    /// How many statements were sent, and how often an answer was waited for, on the present connection.
    var work: PostgresWork {
        PostgresWork(statements: handle?.statements ?? 0, roundTrips: handle?.roundTrips ?? 0)
    }

    /// Returns the connection, made anew if there is none.
    ///
    /// - Throws: ``StoreError/unreachable(_:_:)``.
    @discardableResult
    func connected() throws -> PostgresHandle {
        if let handle, handle.isOpen { return handle }
        close()
        let made = try PostgresHandle(url, application: application)
        handle = made
        return made
    }

    func close() {
        handle = nil
        (prepared, unconfirmed) = ([:], [])
    }

    private struct Prepared {
        var name: String
        var types: [PostgresType]
    }

    // MARK: Statements

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws {
        let rows = PostgresRows(try answer(statement, arguments))
        while rows.step() {
            var columns = SQLColumns(rows)
            try body(&columns)
        }
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers count: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        let rows = PostgresRows(try answer(statement, arguments))
        try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { numbers in
            numbers.initialize(repeating: 0)
            while rows.step() { try body(rows.read(numbers)) }
        }
    }

    @discardableResult
    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        try answer(statement, arguments).changedRows
    }

    var writerName: String? { mark.writer }

    var eventNumbers: EventNumbers { rules.numbersEvents ? .byTransaction(numbers) : .byTable }

    func search(_ body: () throws -> Void) throws {
        guard let longestSearch else { return try body() }
        let end = searchEnd ?? ContinuousClock.now + longestSearch
        searchEnd = end
        let left = max(.milliseconds(1), ContinuousClock.now.duration(to: end))
        try limitStatements(to: left)
        do {
            try body()
        } catch StoreError.timedOut {
            throw StoreError.interrupted
        } catch StoreError.refused(.resources, let detail) {
            // A search of one app's may need more than the server allows, and others do not suffer for it.
            throw StoreError.failed(detail)
        }
        try limitStatements(to: .seconds(url.statementSeconds))
    }

    func queue(_ statement: SQLStatement, _ arguments: [SQLValue], changingRowOf table: String?) throws {
        try sendLater(statement, arguments, changingRowOf: table)
        guard rules.queuesWrites else { return try settle() }
        // The number is not known yet, and only a difference counts.
        changes += 1
    }

    /// Queues a statement, without waiting for its answer. An error comes with the next answer.
    func sendLater(
        _ statement: SQLStatement, _ arguments: [SQLValue] = [], changingRowOf table: String? = nil
    ) throws {
        let handle = try send(statement, arguments)
        handle.answerLater(changingRowOf: table)
        try losing { try handle.bound() }
    }

    /// Waits for the answers to queued statements that must have changed a row.
    func settleRows() throws {
        if handle?.awaitsRows == true { try settle() }
    }

    /// Begins to look for failures of queued statements anew.
    func forgetFailure() { handle?.hasFailedLate = false }

    /// Waits until all queued statements are done.
    func settle() throws {
        guard let handle else { return }
        try losing { try handle.settle() }
        unconfirmed = []
    }

    func answer(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> PostgresResult {
        let handle = try send(statement, arguments)
        let result = try losing { try handle.answer() }
        unconfirmed = []
        changes += result.changedRows
        return result
    }

    private func send(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> PostgresHandle {
        let parameters = try PostgresParameters(arguments)
        guard let handle else { throw StoreError.connectionLost("there is no connection") }
        try losing {
            guard let number = statement.number, keepsStatements else {
                return try handle.send(Self.translated(statement.text), parameters)
            }
            let known = try prepared[number] ?? prepare(statement, number, parameters.types, on: handle)
            // A statement of the program has parameters of the same kinds at each use.
            guard known.types == parameters.types else {
                throw StoreError.failed("a statement has parameters of other kinds than before: \(statement.text)")
            }
            try handle.send(prepared: known.name, parameters)
        }
        return handle
    }

    private func prepare(
        _ statement: SQLStatement, _ number: Int, _ types: [PostgresType], on handle: PostgresHandle
    ) throws -> Prepared {
        // Each preparation has a name of its own, because after an error it is not known which of the last ones
        // succeeded. No other connection uses it, because a pooler may bring that one's statements here.
        preparations += 1
        let made = Prepared(name: "\(namesBegin)\(preparations)", types: types)
        try handle.prepare(made.name, PostgresTexts.text(of: statement, number), types)
        prepared[number] = made
        unconfirmed.append(number)
        return made
    }

    /// Runs the body, and gives the connection up if that finds it lost.
    private func losing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            for number in unconfirmed { prepared[number] = nil }
            unconfirmed = []
            if handle?.hasLostStatement == true { keepsStatements = false }
            if error == .rowMissing(table: CommitMark.table) {
                hasMetSuccessor = true
                throw Self.metSuccessor
            }
            if case .connectionLost = error { close() }
            throw error
        }
    }

    /// Does what comes before all else on a server that has taken the place of the former one.
    func settleSuccession() throws {
        guard hasMetSuccessor else { return }
        if let news = try Succession.settle(on: self).report { report(news) }
        mark.replace()
        hasMetSuccessor = false
    }

    /// The text with PostgreSQL's form of parameters.
    static func translated(_ text: String) -> String { text.replacing("?", with: "$") }

    /// Queues the time after which the server ends each further statement of this transaction.
    ///
    /// This takes no snapshot, so that a lock can be taken before the transaction sees anything.
    func limitStatements(to time: Duration) throws {
        let milliseconds = max(1, Int(time / .milliseconds(1)))
        try sendLater(SQLStatement(composed: "SET LOCAL statement_timeout = \(milliseconds)"))
    }
}

/// The statements of the program in PostgreSQL's form, made once for all connections.
private enum PostgresTexts {
    private static let known = Mutex<[Int: String]>([:])

    static func text(of statement: SQLStatement, _ number: Int) -> String {
        known.withLock { known in
            if let text = known[number] { return text }
            let text = PostgresConnection.translated(statement.text)
            known[number] = text
            return text
        }
    }
}
