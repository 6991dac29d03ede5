import EyotDomain
import EyotStore
import GRDB
import Synchronization

/// The limits of the writer.
package struct GroupCommitLimits: Sendable, Hashable {
    /// Writes that may wait, and as many urgent ones beside them. A further write is refused with `unavailable`.
    package var queue = 4_096
    /// Writes in one commit.
    package var batch = 512
    /// The time after which a transaction takes in no further write, so that no caller waits long for the disk.
    package var time = Duration.milliseconds(10)
    /// How long one write may search by an audience. Calls find their members before they write, so hardly any search
    /// is left.
    package var search = Duration.seconds(1)

    package init() {}
}

/// What a writer has committed since it began, for measurements.
package struct CommitTally: Sendable, Hashable {
    package var commits = 0
    /// Writes that the commits held.
    package var writes = 0
    /// Seconds that the commits took: waiting for the disk, and folding the log into the file.
    package var seconds = 0.0

    package init() {}

    package static func - (a: CommitTally, b: CommitTally) -> CommitTally {
        var difference = a
        difference.commits -= b.commits
        difference.writes -= b.writes
        difference.seconds -= b.seconds
        return difference
    }
}

/// How a commit ended, for metrics.
package struct CommitReport: Sendable {
    /// The writes that it held.
    package var writes = 0
    /// Seconds that it took.
    package var seconds = 0.0
    /// What its transactions did. Empty if it failed.
    package var occurrences: [Occurrence: Int] = [:]
    /// The operations that it made for traced calls.
    package var traced: [TracedOperation] = []
    /// Why it failed; nil if it did not.
    package var failure: StoreError?
}

/// A write that waits for its commit.
struct QueuedWrite: Sendable {
    /// Runs the body. The closure that it returns answers the caller, once the commit is durable.
    var run: @Sendable (any Ledger) throws -> @Sendable () -> Void
    /// Answers the caller with an error. By then the body's changes are undone.
    var fail: @Sendable (any Error) -> Void
    /// Whether its changes are undone even if it succeeds.
    var isUndone = false
}

/// The queue in front of SQLite's one writer, which commits the writes of many callers together.
///
/// **Problem.** A call is answered only after its write is on disk (R9), and each commit waits for the disk. With a
/// commit for each write, the writer would mostly wait. The engine's verdicts would stand in line with all calls.
///
/// **Approach.** While one commit is on its way to the disk, further writes gather. The next transaction takes in up to
/// 512 of them, and none after 10 ms. When it is durable, each caller is answered.
///
///     calls  ──▶ ordinary ──┐
///                           ├──▶ BEGIN · body · body · body · COMMIT ──▶ answers, then hints
///     engine ──▶ urgent ────┘
///
/// - **Two queues.** A flood of calls never makes the engine wait in line, and never fills its queue. Each batch takes
///   urgent writes until half of its size or time is used, then ordinary ones. An empty queue leaves its part to the
///   other. Every second batch begins with an ordinary write, because a batch may have time for only one.
/// - **No savepoint for each write.** With a savepoint SQLite keeps the former content of each page that changes. A
///   body that throws has mostly written nothing, so it needs no undo.
/// - **The careful way.** If a body throws after it has written, the transaction is rolled back and the good bodies run
///   once more. They and the bodies of the next transaction get savepoints. The batches after that get none, unless
///   such a body comes again.
/// - **Writes to be undone.** `tryOut` needs the result of a body without its changes. Such a write always has a
///   savepoint.
///
/// **Why it is right.** A body may run twice, so it must change nothing but its ledger. Answers of a first run are
/// discarded with its batch. If the commit fails, the whole batch is rolled back and each of its writes gets the error.
/// A change of keys is counted before any caller is answered, so a revoked key is refused from that moment on.
final class GroupCommit: Sendable {
    /// Writes in the order in which they came.
    private struct Queue {
        private var writes: [QueuedWrite] = []
        /// The index of the next write. The writes before it have been taken.
        private var head = 0

        var count: Int { writes.count - head }

        mutating func append(_ write: QueuedWrite) { writes.append(write) }

        mutating func next() -> QueuedWrite? {
            guard head < writes.count else { return nil }
            defer { head += 1 }
            return writes[head]
        }

        /// Drops the writes that have been taken, once they are as many as the others.
        mutating func compact() {
            guard head * 2 >= writes.count else { return }
            writes.removeFirst(head)
            head = 0
        }
    }

    private struct State {
        var ordinary = Queue()
        /// The engine's writes. They go ahead of the ordinary ones.
        var urgent = Queue()
        /// Whether the next commit begins with an urgent write. It alternates, because a commit may have time for only
        /// one write.
        var isUrgentFirst = true
        var isRunning = false
        /// When the writer got work or last finished a commit.
        var progressAt = ContinuousClock.now
        var isClosed = false
        var tally = CommitTally()
        var waiters: [CheckedContinuation<Void, Never>] = []

        var count: Int { ordinary.count + urgent.count }

        /// Removes and returns the next write: from the preferred queue, or from the other if that is empty.
        mutating func next(urgentFirst: Bool = true) -> QueuedWrite? {
            urgentFirst ? urgent.next() ?? ordinary.next() : ordinary.next() ?? urgent.next()
        }

        mutating func compact() {
            ordinary.compact()
            urgent.compact()
        }
    }

    private let database: SQLiteDatabase
    let limits: GroupCommitLimits
    private let wake: @Sendable (Set<ActivityID>) -> Void
    private let observe: @Sendable (CommitReport) -> Void
    private let state = Mutex(State())
    private let accessChanges = Atomic(0)
    /// Whether the last write that reached the disk found it full.
    private let hasFullDisk = Atomic(false)
    private let lastFailed = Atomic(false)
    /// Whether a body of the last transaction threw after it had written. Only the writer uses it.
    private let isCareful = Atomic(false)

    /// - Parameters:
    ///   - wake: Receives the activities that became due, after each commit.
    ///   - observe: Receives a report of each commit, on the writer. It must not wait.
    init(
        _ database: SQLiteDatabase, limits: GroupCommitLimits, wake: @escaping @Sendable (Set<ActivityID>) -> Void,
        observe: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        self.database = database
        self.limits = limits
        self.wake = wake
        self.observe = observe
    }

    /// Queues a write. Its caller gets an answer in any case.
    ///
    /// - Parameter isUrgent: Whether the write goes ahead of ordinary ones, and counts against a limit of its own.
    func submit(_ write: QueuedWrite, urgently isUrgent: Bool = false) {
        enum Decision {
            case refuse(EyotError)
            case start, wait
        }
        let decision: Decision = state.withLock { state in
            guard !state.isClosed else { return .refuse(EyotError(.unavailable, "the server is stopping")) }
            guard (isUrgent ? state.urgent : state.ordinary).count < limits.queue else {
                return .refuse(EyotError(.unavailable, "\(limits.queue) writes are already waiting"))
            }
            if isUrgent { state.urgent.append(write) } else { state.ordinary.append(write) }
            guard !state.isRunning else { return .wait }
            state.isRunning = true
            state.progressAt = .now
            return .start
        }
        switch decision {
        case .refuse(let error): write.fail(error)
        case .start: commitSoon()
        case .wait: break
        }
    }

    /// How many writes no transaction has taken in yet.
    var waiting: Int { state.withLock(\.count) }

    /// Seconds since the writer last finished a commit, while it has work; otherwise 0.
    var busySeconds: Double {
        state.withLock { $0.isRunning ? $0.progressAt.duration(to: .now) / .seconds(1) : 0 }
    }

    /// The number of commits that changed a key or an app.
    var accessVersion: Int { accessChanges.load(ordering: .sequentiallyConsistent) }

    /// Whether the last write that reached the disk found it full.
    var isDiskFull: Bool { hasFullDisk.load(ordering: .relaxed) }

    /// Whether the last commit failed.
    var hasFailed: Bool { lastFailed.load(ordering: .relaxed) }

    func noteFailure(_ hasFailed: Bool) { lastFailed.store(hasFailed, ordering: .relaxed) }

    /// Whether the store takes no more writes.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Notes how a write to the disk ended that did not come through the queue.
    func noteDisk(isFull: Bool) { hasFullDisk.store(isFull, ordering: .relaxed) }

    /// What has been committed.
    var tally: CommitTally { state.withLock(\.tally) }

    /// Refuses further writes, and returns when all queued writes are answered.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.isRunning { state.waiters.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: On the writer

    /// Schedules the next commit on the writer. Between two commits other work of the writer gets its turn.
    private func commitSoon() {
        database.writer.asyncWriteWithoutTransaction { database in
            self.commit(on: database)
            self.resume()
        }
    }

    private func resume() {
        let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            state.compact()
            state.progressAt = .now
            guard state.count == 0 else { return nil }
            state.isRunning = false
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return commitSoon() }
        for waiter in waiters { waiter.resume() }
    }

    /// The writes of one commit, and the answers to their callers.
    private struct Batch {
        var answers: [@Sendable () -> Void] = []
        var written: [QueuedWrite] = []
        var refused: [(QueuedWrite, any Error)] = []
        var woken: Set<ActivityID> = []
        var occurrences: [Occurrence: Int] = [:]
        var traced: [TracedOperation] = []
        var seconds = 0.0
        /// What the writes add to kept numbers. Each number is written once for all of them.
        var counted = CountChanges()
        var changesAccess = false
        var count: Int { written.count + refused.count }
    }

    private func commit(on database: Database) {
        var batch = Batch()
        let changes = database.totalChangesCount
        do {
            try translated {
                try run("BEGIN IMMEDIATE TRANSACTION", on: database)
                do {
                    try fill(&batch, on: database)
                } catch is Unclean {
                    try repeatClean(&batch, on: database)
                }
                if !batch.counted.isEmpty {
                    try SQLLedger(GRDBConnection(database)).storeCounts(batch.counted)
                }
                let began = ContinuousClock.now
                try run("COMMIT TRANSACTION", on: database)
                batch.seconds = began.duration(to: .now) / .seconds(1)
                count(batch)
            }
            // Before any caller is answered, because a caller that revoked a key relies on it.
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            noteFailure(false)
            for answer in batch.answers { answer() }
            if !batch.woken.isEmpty { wake(batch.woken) }
            observe(
                CommitReport(
                    writes: batch.written.count, seconds: batch.seconds, occurrences: batch.occurrences,
                    traced: batch.traced))
            if database.totalChangesCount != changes { noteDisk(isFull: false) }
        } catch {
            if error as? StoreError == .diskFull { noteDisk(isFull: true) }
            noteFailure(true)
            observe(CommitReport(failure: error as? StoreError ?? .failed("\(error)")))
            abandon(&batch, on: database)
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            for write in batch.written { write.fail(error) }
        }
        for (write, error) in batch.refused {
            if error as? StoreError == .diskFull { noteDisk(isFull: true) }
            write.fail(error)
        }
    }

    private func count(_ batch: Batch) {
        state.withLock { state in
            state.tally.commits += 1
            state.tally.writes += batch.written.count
            state.tally.seconds += batch.seconds
        }
    }

    private func fill(_ batch: inout Batch, on database: Database) throws {
        let clock = ContinuousClock()
        let (middle, end) = (clock.now + limits.time / 2, clock.now + limits.time)
        let connection = GRDBConnection(database, longestSearch: limits.search)
        let isUrgentFirst = state.withLock { state in
            defer { state.isUrgentFirst.toggle() }
            return state.isUrgentFirst
        }
        let isCareful = isCareful.exchange(false, ordering: .relaxed)
        while batch.count == 0 || (batch.count < limits.batch && clock.now < end) {
            // Half of a batch is for ordinary writes, and every second batch begins with one. So they progress however
            // much is urgent.
            let isUrgentsTurn =
                batch.count == 0 ? isUrgentFirst : batch.count * 2 < limits.batch && clock.now < middle
            guard let write = state.withLock({ $0.next(urgentFirst: isUrgentsTurn) }) else { break }
            try run(write, &batch, on: database, connection, carefully: isCareful)
        }
    }

    /// A body threw after it had written, without a savepoint to undo its changes.
    private struct Unclean: Error {}

    /// Rolls the transaction back, and runs its good writes once more.
    private func repeatClean(_ batch: inout Batch, on database: Database) throws {
        isCareful.store(true, ordering: .relaxed)
        var left = batch.written[...]
        // If the database fails meanwhile, the writes that have not run again fail with the batch.
        defer { batch.written += left }
        let refused = batch.refused
        (batch, batch.refused) = (Batch(), refused)
        try run("ROLLBACK TRANSACTION", on: database)
        try run("BEGIN IMMEDIATE TRANSACTION", on: database)
        let connection = GRDBConnection(database, longestSearch: limits.search)
        while let write = left.popFirst() {
            try run(write, &batch, on: database, connection, carefully: true)
        }
    }

    /// Rolls back what the batch has changed.
    private func abandon(_ batch: inout Batch, on database: Database) {
        // If even this fails, the next transaction cannot begin, and readiness reports it.
        if database.isInsideTransaction { try? database.rollback() }
        // If the transaction could not even begin, one write fails for it, so that the queue moves on.
        if batch.count == 0, let write = state.withLock({ $0.next() }) { batch.written.append(write) }
    }

    /// Runs one body.
    ///
    /// - Parameter isCareful: Whether the body gets a savepoint. A write that is to be undone always gets one.
    /// - Throws: The error, if the database has ended the whole transaction, and ``Unclean``. Other errors of the body
    ///   go to its caller.
    private func run(
        _ write: QueuedWrite, _ batch: inout Batch, on database: Database, _ connection: GRDBConnection,
        carefully isCareful: Bool
    ) throws {
        let ledger = SQLLedger(connection)
        connection.beginBody()
        let changes = database.totalChangesCount
        defer { batch.changesAccess = batch.changesAccess || ledger.changesAccess }
        let hasSavepoint = isCareful || write.isUndone
        do {
            if hasSavepoint { try connection.execute(Savepoint.begin, []) }
            let answer = try write.run(ledger)
            if write.isUndone { try connection.execute(Savepoint.undo, []) }
            if hasSavepoint { try connection.execute(Savepoint.end, []) }
            batch.answers.append(answer)
            batch.written.append(write)
            guard !write.isUndone else { return }
            batch.woken.formUnion(ledger.woken)
            batch.traced += ledger.traced
            if !ledger.occurrences.isEmpty { batch.occurrences.merge(ledger.occurrences, uniquingKeysWith: +) }
            batch.counted.merge(ledger.counted)
        } catch {
            batch.refused.append((write, error))
            guard database.isInsideTransaction else { throw error }
            let hasWritten = database.totalChangesCount != changes
            if hasSavepoint {
                if hasWritten, isCareful { self.isCareful.store(true, ordering: .relaxed) }
                try connection.execute(Savepoint.undo, [])
                try connection.execute(Savepoint.end, [])
            } else if hasWritten {
                throw Unclean()
            }
        }
    }

    private enum Savepoint {
        static let begin = SQLStatement("SAVEPOINT body")
        static let undo = SQLStatement("ROLLBACK TO body")
        static let end = SQLStatement("RELEASE body")
    }

    /// Runs a statement that begins or ends a transaction. GRDB's own function would parse its text each time.
    private func run(_ words: String, on database: Database) throws {
        try database.cachedStatement(sql: words).execute()
    }
}
