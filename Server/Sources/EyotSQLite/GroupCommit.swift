import EyotDomain
import EyotStore
import GRDB
import Synchronization

/// What the writer may take on at once.
package struct GroupCommitLimits: Sendable, Hashable {
    /// Writes that may wait, and as many urgent ones beside them. One more is answered with `unavailable`.
    package var queue = 4_096
    /// Writes in one commit.
    package var batch = 512
    /// After this a transaction takes in no further write, so that nobody waits long for the disk.
    package var time = Duration.milliseconds(10)
    /// For how long one write may search by an audience. Whom a call concerns is found before it writes, so hardly
    /// anything is left.
    package var search = Duration.seconds(1)

    package init() {}
}

/// What a writer has committed since it began: what a measurement counts.
package struct CommitTally: Sendable, Hashable {
    package var commits = 0
    /// Writes that they held.
    package var writes = 0
    /// Seconds in which the disk was waited for, and the log folded into the file.
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

/// One write that waits for its commit.
struct QueuedWrite: Sendable {
    /// Runs the body; what it returns answers the caller, once the commit is durable.
    var run: @Sendable (any Ledger) throws -> @Sendable () -> Void
    /// Answers the caller with an error. What the body wrote is undone by then.
    var fail: @Sendable (any Error) -> Void
    /// It is to leave nothing, though it goes well.
    var isUndone = false
}

/// Writes of many callers in one commit: while one is on its way to the disk, the next ones gather.
///
/// A body that throws undoes only what it wrote itself. Hardly one that throws has written anything, and SQLite keeps what every page
/// held before where it may have to undo: so the others of its transaction are run again without it, and only while that
/// happens each body has a savepoint of its own. One that is to be undone anyhow has it from the beginning. Callers
/// are answered after the
/// commit that holds their write (R9).
final class GroupCommit: Sendable {
    /// Writes in the order in which they came.
    private struct Queue {
        private var writes: [QueuedWrite] = []
        /// Where the next write stands; what is before it is done with.
        private var head = 0

        var count: Int { writes.count - head }

        mutating func append(_ write: QueuedWrite) { writes.append(write) }

        mutating func next() -> QueuedWrite? {
            guard head < writes.count else { return nil }
            defer { head += 1 }
            return writes[head]
        }

        /// Lets go of the writes that are done with, once they outnumber the others.
        mutating func compact() {
            guard head * 2 >= writes.count else { return }
            writes.removeFirst(head)
            head = 0
        }
    }

    private struct State {
        var ordinary = Queue()
        /// Those of whoever pushes: however many wait of the others, these are taken in first.
        var urgent = Queue()
        /// Which of them the next commit takes in first, by turns: one write may be all that there is time for.
        var isUrgentFirst = true
        var isRunning = false
        var isClosed = false
        var tally = CommitTally()
        var waiters: [CheckedContinuation<Void, Never>] = []

        var count: Int { ordinary.count + urgent.count }

        /// The next one: of those whose turn it is, or else of the others.
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
    private let state = Mutex(State())
    private let accessChanges = Atomic(0)
    /// Whether the last write that reached the disk found it full.
    private let hasFullDisk = Atomic(false)
    /// A body of the last transaction has thrown after it had written. Only the writer asks.
    private let isCareful = Atomic(false)

    /// - Parameter wake: is told what became due, commit by commit.
    init(
        _ database: SQLiteDatabase, limits: GroupCommitLimits, wake: @escaping @Sendable (Set<ActivityID>) -> Void
    ) {
        self.database = database
        self.limits = limits
        self.wake = wake
    }

    /// Queues a write. It is answered in any case.
    ///
    /// - Parameter isUrgent: it does not wait for those that are not, nor is it refused for them.
    func submit(_ write: QueuedWrite, urgently isUrgent: Bool = false) {
        enum Decision {
            case refuse(EyotError)
            case start, wait
        }
        let decision: Decision = state.withLock { state in
            guard !state.isClosed else { return .refuse(EyotError(.unavailable, "the server is stopping")) }
            guard (isUrgent ? state.urgent : state.ordinary).count < limits.queue else {
                return .refuse(EyotError(.unavailable, "\(limits.queue) writes are waiting already"))
            }
            if isUrgent { state.urgent.append(write) } else { state.ordinary.append(write) }
            guard !state.isRunning else { return .wait }
            state.isRunning = true
            return .start
        }
        switch decision {
        case .refuse(let error): write.fail(error)
        case .start: commitSoon()
        case .wait: break
        }
    }

    /// Writes that no transaction has taken in yet.
    var waiting: Int { state.withLock(\.count) }

    /// Counts the commits that changed a key or an app.
    var accessVersion: Int { accessChanges.load(ordering: .sequentiallyConsistent) }

    /// Whether the last write that reached the disk found it full.
    var isDiskFull: Bool { hasFullDisk.load(ordering: .relaxed) }

    /// Notes how a write to the disk ended that did not come through the queue.
    func noteDisk(isFull: Bool) { hasFullDisk.store(isFull, ordering: .relaxed) }

    /// What has been committed.
    var tally: CommitTally { state.withLock(\.tally) }

    /// Refuses further writes and returns when those that wait are answered.
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

    /// Takes its turn on the writer: between two commits others come to theirs.
    private func commitSoon() {
        database.writer.asyncWriteWithoutTransaction { database in
            self.commit(on: database)
            self.goOn()
        }
    }

    private func goOn() {
        let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            state.compact()
            guard state.count == 0 else { return nil }
            state.isRunning = false
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return commitSoon() }
        for waiter in waiters { waiter.resume() }
    }

    /// What one commit holds, and whom to answer after it.
    private struct Batch {
        var answers: [@Sendable () -> Void] = []
        var written: [QueuedWrite] = []
        var refused: [(QueuedWrite, any Error)] = []
        var woken: Set<ActivityID> = []
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
                let began = ContinuousClock.now
                try run("COMMIT TRANSACTION", on: database)
                count(batch.written.count, since: began)
            }
            // Before anybody is answered: who has revoked a key may count on it.
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            for answer in batch.answers { answer() }
            if !batch.woken.isEmpty { wake(batch.woken) }
            if database.totalChangesCount != changes { noteDisk(isFull: false) }
        } catch {
            if error as? StoreError == .diskFull { noteDisk(isFull: true) }
            abandon(&batch, on: database)
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            for write in batch.written { write.fail(error) }
        }
        for (write, error) in batch.refused {
            if error as? StoreError == .diskFull { noteDisk(isFull: true) }
            write.fail(error)
        }
    }

    private func count(_ writes: Int, since began: ContinuousClock.Instant) {
        let took = began.duration(to: .now) / .seconds(1)
        state.withLock { state in
            state.tally.commits += 1
            state.tally.writes += writes
            state.tally.seconds += took
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
            // Half of a batch is the others', and every other one begins with theirs, so that they get on however much is urgent.
            let isUrgentsTurn =
                batch.count == 0 ? isUrgentFirst : batch.count * 2 < limits.batch && clock.now < middle
            guard let write = state.withLock({ $0.next(urgentFirst: isUrgentsTurn) }) else { break }
            try run(write, &batch, on: database, connection, carefully: isCareful)
        }
    }

    /// What is to be undone has no savepoint.
    private struct Unclean: Error {}

    /// Undoes the transaction and runs what was well in it once more.
    private func repeatClean(_ batch: inout Batch, on database: Database) throws {
        isCareful.store(true, ordering: .relaxed)
        var left = batch.written[...]
        // Where the database gives up meanwhile they are told so.
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

    /// Makes sure that nothing of the batch is there.
    private func abandon(_ batch: inout Batch, on database: Database) {
        // Should even this fail, the next transaction cannot begin, and readiness says so.
        if database.isInsideTransaction { try? database.rollback() }
        // Where the transaction could not even begin, one write fails for it, so that the queue moves on.
        if batch.count == 0, let write = state.withLock({ $0.next() }) { batch.written.append(write) }
    }

    /// Runs one body.
    ///
    /// - Parameter isCareful: in a savepoint of its own, as one that is to leave nothing always is.
    /// - Throws: where the database has given the whole transaction up, and ``Unclean``; otherwise an error is the body's own.
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
            if !write.isUndone { batch.woken.formUnion(ledger.woken) }
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

    /// Where a transaction begins or ends. GRDB has this too, and parses the words anew each time.
    private func run(_ words: String, on database: Database) throws {
        try database.cachedStatement(sql: words).execute()
    }
}
