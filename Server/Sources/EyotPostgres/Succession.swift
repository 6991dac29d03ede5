import EyotDomain
import EyotStore

/// What is done when another server has taken the place of the one that the database was on.
///
/// **Problem.** A standby that takes over may lack the last commits, although they were answered with success. So it
/// does not know which starts have left (R6), up to when leases run (R7), and which ids of events readers have seen.
///
/// **Approach.** The first transaction that writes finds out, and nothing is written before this:
///
/// - All tenures end. The next ones begin when every lease must have ended that was extended on the former server.
/// - Starts that were due look planned, and may have left. They count as unknown (``NodeLease/doubtsUntil``).
/// - A new ``History`` begins, so that phones tell again what was confirmed to them (R17).
/// - Ids of events rise by more than the former server can have given away meanwhile.
///
/// If the former server answered no commit before a standby had it, nothing is forgotten. Then only ids rise, because
/// transactions that were not answered may have used some. But a standby may have been cut off before that setting was
/// given up. So each process also looks for the last commits that were answered to it.
enum Succession {
    private static let begin = SQLStatement("BEGIN")
    private static let commit = SQLStatement("COMMIT")
    private static let rollback = SQLStatement("ROLLBACK")

    /// What was done.
    enum Outcome: Sendable, Hashable {
        /// Another process was first, or only a setting was noted.
        case none
        /// The server took another's place.
        case settled(forgot: Bool)

        var report: PostgresReport? {
            if case .settled(let forgot) = self { .succeeded(forgot: forgot) } else { nil }
        }
    }

    /// Does it in a transaction of its own.
    static func settle(on connection: PostgresConnection) throws -> Outcome {
        try connection.execute(begin, [])
        do {
            try connection.limitStatements(to: .seconds(connection.url.statementSeconds))
            try connection.limitStalls()
            let outcome = try settleInside(on: connection)
            try connection.execute(commit, [])
            connection.commits.clear()
            return outcome
        } catch {
            _ = try? connection.execute(rollback, [])
            throw error
        }
    }

    /// Does it as a part of a transaction.
    static func settleInside(on connection: PostgresConnection) throws -> Outcome {
        // No other transaction writes meanwhile.
        try connection.sendLater(CommitMark.lock)
        let record = try ServerRecord(on: connection)
        let isKnown = record.hasForgotten && !record.isSucceeded
        let lacksCommit = try !connection.commits.areKept(on: connection)
        let forgot = !isKnown && (lacksCommit || record.isSucceeded && !record.wasSynchronous)
        let isSettled = record.isSucceeded || forgot
        if !record.isPresent || isSettled {
            try ServerRecord.update(
                adding: isSettled ? EventNumberTable.margin : 0, hasForgotten: isKnown || forgot, on: connection)
        }
        if forgot { try interrupt(on: connection) }
        return isSettled ? .settled(forgot: forgot) : .none
    }

    /// Ends all tenures, and begins a new history.
    private static func interrupt(on connection: PostgresConnection) throws {
        let ledger = SQLLedger(connection)
        let now = Instant(microseconds: try connection.rows(PostgresServer.time, []) { try $0.number() }.first ?? 0)
        try ledger.interruptTenures(of: .shared, at: now)
        try ledger.begin(.fresh(.promoted, at: now))
        try ledger.noteAccessChange()
    }
}
