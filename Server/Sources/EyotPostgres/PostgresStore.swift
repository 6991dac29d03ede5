import EyotDomain
import EyotStore

private enum Statements {
    static let accessChanges = SQLStatement("SELECT number FROM access_changes")
}

/// The store in a PostgreSQL database, which several processes may share.
///
/// Writers run serializable transactions at the same time, each with the writes of many callers. The database refuses
/// one of two that are in conflict, and it runs again.
package final class PostgresStore: ServedStore {
    /// How many commits' hints wait for their consumer before the oldest are dropped.
    private static let hintLimit = 1_024
    /// How long one search may take, in seconds.
    package static let longestSearch = 5.0
    /// How long a look at few rows may take.
    private static let longestLook = Duration.seconds(5)

    package let woken: AsyncStream<[ActivityID]>
    private let database: PostgresDatabase
    private let commits: GroupCommit
    private let writers: [PostgresLane]
    private let readers: PostgresPool
    private let lookers: PostgresPool
    private let searchers: PostgresPool
    private let searches: SearchTurns
    private let longestSearch: Double
    private let hints: AsyncStream<[ActivityID]>.Continuation
    private let outage: PostgresOutage
    private let recheck = Recheck()
    private let access: SharedAccess
    /// The wake-ups between nodes; nil if a pooler keeps them away.
    private let wakeUps: WakeUps?

    /// - Parameters:
    ///   - limits: The limits of the writers.
    ///   - longestSearch: How long one search may take, in seconds.
    ///   - direct: A way to the server itself, if a pooler stands between.
    ///   - observe: Receives a report of each commit, on its writer. It must not wait.
    ///   - report: Receives what becomes of the database.
    package convenience init(
        _ database: PostgresDatabase, limits: GroupCommitLimits = GroupCommitLimits(),
        longestSearch: Double = PostgresStore.longestSearch, direct: PostgresURL? = nil,
        observe: @escaping @Sendable (CommitReport) -> Void = { _ in },
        report: @escaping @Sendable (PostgresReport) -> Void = { _ in }
    ) {
        self.init(
            database, limits: limits, longestSearch: longestSearch, direct: direct, rules: PostgresRules(),
            observe: observe, report: report)
    }

    init(
        _ database: PostgresDatabase, limits: GroupCommitLimits = GroupCommitLimits(),
        longestSearch: Double = PostgresStore.longestSearch, direct: PostgresURL? = nil, rules: PostgresRules,
        observe: @escaping @Sendable (CommitReport) -> Void = { _ in },
        report: @escaping @Sendable (PostgresReport) -> Void = { _ in }
    ) {
        (self.database, self.longestSearch) = (database, longestSearch)
        if let news = database.succession.report { report(news) }
        // A pooler has connections of its own.
        if !database.identity.isPooled, let limit = database.identity.connectionLimit.map({ Int($0) }),
            limit <= database.url.connections
        {
            report(.crowded(limit: limit, connections: database.url.connections))
        }
        let (woken, hints) = AsyncStream.makeStream(
            of: [ActivityID].self, bufferingPolicy: .bufferingNewest(Self.hintLimit))
        (self.woken, self.hints) = (woken, hints)
        let shares = ConnectionShares(of: database.url.connections)
        writers = database.lanes(shares.writers, longestSearch: limits.search, rules, report)
        readers = PostgresPool(database.lanes(shares.readers, rules))
        let lookers = PostgresPool(database.lanes(shares.lookers, rules))
        self.lookers = lookers
        access = SharedAccess { try await Self.number(Statements.accessChanges, on: lookers) }
        searchers = PostgresPool(database.lanes(shares.searchers, rules))
        searches = SearchTurns(limit: max(1, shares.searchers - 1))
        let outage = PostgresOutage(report)
        self.outage = outage
        let wakeUps = database.directURL(direct).map { url in
            WakeUps(
                url, application: database.application, database: database.identity.database,
                hear: { hints.yield([]) }, report: report)
        }
        if wakeUps == nil { report(.pooled) }
        self.wakeUps = wakeUps
        commits = GroupCommit(
            writers, limits: limits,
            wake: { activities in
                hints.yield(activities.sorted { $0.rawValue < $1.rawValue })
                wakeUps?.notify()
            },
            observe: { committed in
                outage.note(committed.failure)
                observe(committed)
            }, tell: { report(.writes($0)) })
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await read(on: readers, within: .seconds(database.url.statementSeconds), body)
    }

    package func look<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await read(on: lookers, within: Self.longestLook, body)
    }

    private func read<Result: Sendable>(
        on pool: PostgresPool, within time: Duration, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        do {
            try outage.admit()
            let result = try await pool.run { connection in
                try connection.read(within: time) { try body(SQLLedger($0)) }
            }
            outage.note(nil)
            return result
        } catch {
            if let error = error as? StoreError {
                outage.note(error)
                commits.note(error) { _ = try body($0) }
            }
            throw portError(error)
        }
    }

    package func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        let time = Duration.seconds(longestSearch)
        return try await searches.search(of: app, for: purpose) { _ in
            do {
                try outage.admit()
                return try await searchers.run { connection in
                    try connection.read(within: time) { try body(SQLLedger($0)) }
                }
            } catch StoreError.timedOut {
                throw Self.tooCostly(longestSearch)
            } catch {
                throw portError(error)
            }
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await write(body, urgently: false)
    }

    package func writeUrgently<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await write(body, urgently: true)
    }

    package func tryOut<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await write(body, undone: true)
    }

    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result, urgently isUrgent: Bool = false,
        undone isUndone: Bool = false
    ) async throws -> Result {
        do {
            try outage.admit()
            let result = try await commits.write(body, urgently: isUrgent, undone: isUndone)
            // Before the caller goes on, who may not find the database refused any more.
            outage.note(nil)
            return result
        } catch StoreError.interrupted {
            throw Self.tooCostly(commits.limits.search / .seconds(1))
        } catch {
            throw portError(error)
        }
    }

    package var time: (@Sendable () async throws -> Instant)? {
        { [lookers] in Instant(microseconds: try await Self.number(PostgresServer.time, on: lookers)) }
    }

    /// Looks a number up; 0 if there is no row.
    private static func number(_ statement: SQLStatement, on lookers: PostgresPool) async throws -> Int64 {
        try await lookers.run { connection in
            try connection.read(within: longestLook) { connection in
                try connection.rows(statement, []) { try $0.number() }
            }.first ?? 0
        }
    }

    package var accessVersion: Int? { access.changes.map { $0 + commits.accessVersion } }

    /// What the store knows of itself, without asking the database.
    package var health: StoreHealth {
        var health = StoreHealth()
        health.waitingWrites = commits.waiting
        (health.busySeconds, health.stalledSeconds) = (commits.busySeconds, commits.stalledSeconds)
        health.isInTrouble = (outage.present ?? commits.trouble) != nil
        health.hasFullDisk = commits.isDiskFull
        health.schema = database.schema
        return health
    }

    /// Checks what the last transactions say. Only if something is wrong, it looks whether that is over, and waits for
    /// that no longer than ``Recheck/patience``.
    package func check() async throws {
        guard !commits.isClosed else { throw EyotError(.unavailable, "the server is stopping") }
        guard commits.stalledSeconds <= StoreHealth.longestBusy else {
            throw EyotError(.unavailable, "a writer of the database has finished nothing for more than 10 seconds")
        }
        guard (outage.present ?? commits.trouble) != nil else { return }
        await recheck.run { await self.lookAgain() }
        if let trouble = outage.present ?? commits.trouble { throw trouble.unready }
    }

    /// Forgets what is over of that which kept the database from taking transactions.
    private func lookAgain() async {
        do {
            try outage.admit()
            try await commits.write { _ in }
            outage.note(nil)
        } catch {
            if let error = error as? StoreError { outage.note(error) }
            return
        }
        await commits.retryRefused()
    }

    /// The URL of its database.
    var url: PostgresURL { database.url }

    /// How many transactions may write at the same time.
    var writerCount: Int { writers.count }

    /// How many writes wait for their transaction to begin.
    package var waitingWrites: Int { commits.waiting }

    /// What has been committed, for measurements.
    package var committed: CommitTally { commits.tally }

    /// What its connections have done so far, for measurements.
    package var work: PostgresWork {
        get async {
            var all = PostgresWork()
            for lane in writers + [readers, lookers, searchers].flatMap(\.lanes) {
                let work = await lane.work
                all.statements += work.statements
                all.roundTrips += work.roundTrips
            }
            return all
        }
    }

    /// Refuses further writes, finishes the queued ones, and closes the connections.
    package func close() async {
        await commits.finish()
        await wakeUps?.close()
        hints.finish()
        for writer in writers { await writer.close() }
        for pool in [readers, lookers, searchers] { await pool.close() }
    }

    private static func tooCostly(_ longest: Double) -> EyotError {
        EyotError(
            .audienceTooCostly, "the search for its devices takes longer than \(longest) seconds", field: "audience")
    }

    /// The error that a caller of the store gets. Errors with a code in the catalogue become an ``EyotError``.
    private func portError(_ error: any Error) -> any Error {
        switch error as? StoreError {
        case .diskFull: EyotError(.diskFull, "the disk of the database is full, and the call has changed nothing")
        case .unreachable: EyotError.databaseOutage
        case .refused: EyotError.databaseRefuses
        case .conflict, .connectionLost, .unknownCommit, .interrupted, .timedOut:
            EyotError(.unavailable, "the database cannot take the call at the moment")
        default: error
        }
    }
}

/// Statements that were sent, and waits for their answers.
package struct PostgresWork: Sendable, Hashable {
    package var statements = 0
    package var roundTrips = 0

    package static func - (a: PostgresWork, b: PostgresWork) -> PostgresWork {
        PostgresWork(statements: a.statements - b.statements, roundTrips: a.roundTrips - b.roundTrips)
    }
}

/// How many connections of a process are for what.
private struct ConnectionShares {
    var writers: Int
    var readers: Int
    var lookers: Int
    var searchers: Int

    /// - Parameter connections: 4 or more.
    init(of connections: Int) {
        searchers = max(1, connections / 5)
        lookers = max(1, connections / 5)
        readers = max(1, connections * 3 / 10)
        writers = connections - searchers - lookers - readers
    }
}

extension PostgresDatabase {
    /// The URL of a connection that keeps its session, if there is one.
    fileprivate func directURL(_ given: PostgresURL?) -> PostgresURL? {
        given ?? (identity.isPooled || url.keepsStatements == false ? nil : url)
    }

    fileprivate func lanes(
        _ count: Int, longestSearch: Duration? = nil, _ rules: PostgresRules,
        _ report: @escaping @Sendable (PostgresReport) -> Void = { _ in }
    ) -> [PostgresLane] {
        let commits = KnownCommits()
        return (0..<count).map { _ in
            PostgresLane(
                url, application: application, longestSearch: longestSearch, rules: rules, commits: commits,
                report: report)
        }
    }
}
