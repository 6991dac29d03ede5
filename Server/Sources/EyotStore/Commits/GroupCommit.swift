import EyotDomain
import Foundation
import Synchronization

/// The queue in front of a database's writers, which commit the writes of many callers together. SQLite has one writer.
///
/// **Problem.** A call is answered only after its write is on disk (R9), and each commit waits for the disk. With a
/// commit for each write, a writer would mostly wait. The engine's verdicts would stand in line with all calls.
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
/// - **One writer for what is urgent.** Of several writers one at a time takes urgent writes. The engine's writes for
///   an activity change the same rows, so that two of them at the same time would mostly be in conflict.
/// - **No savepoint for each write.** With a savepoint SQLite keeps the former content of each page that changes. A
///   body that throws has mostly written nothing, so it needs no undo.
/// - **The careful way.** If a body throws after it has written, the transaction is rolled back and the good bodies run
///   once more. They and the bodies of the next transaction get savepoints. The batches after that get none, unless
///   such a body comes again.
/// - **Late errors.** A body's statement may fail only with a statement of another body, or with the commit, because
///   the answers come together. Then all bodies run again in the careful way, in which the answers to each body come
///   before the next one begins.
/// - **Writes to be undone.** `tryOut` needs the result of a body without its changes. Such a write always has a
///   savepoint.
/// - **Conflicts.** Where several writers work at the same time, the database may refuse a transaction for the sake of
///   another. All its bodies then run again, after a pause by chance, and from the third time on alone. A key that is
///   there already may be such a conflict too: another transaction may have inserted it since this one began.
/// - **No write sees less than was answered before it came.** Beside rivals a transaction takes in only writes that
///   came before it began to read. A later one might follow an answer of another process that the transaction does not
///   see, such as a phone's next report.
/// - **As many writers as get along.** After a conflict half as many work at the same time, down to one, and the queue
///   travels in their larger batches. After a number of commits without one, one more does (``WriterWidth``).
///
/// **Why it is right.** A body may run twice, so it must change nothing but its ledger. Answers of a first run are
/// discarded with its batch. If the commit fails, the whole batch is rolled back and each of its writes gets the error.
/// A change of keys is counted before any caller is answered, so a revoked key is refused from that moment on.
/// What the database refuses, in a body or at the commit, is in metrics and in health (``RefusedWrites``).
package final class GroupCommit: Sendable {
    /// A writer, with what it remembers between two commits.
    private final class Lane: Sendable {
        let number: Int
        let writer: any Writer
        /// Whether a body of the last transaction threw after it had written. Only the writer uses it.
        let isCareful = Atomic(false)

        init(_ number: Int, _ writer: any Writer) { (self.number, self.writer) = (number, writer) }
    }

    private struct State {
        var queue = WriteQueue()
        /// Whether the next commit begins with an urgent write. It alternates, because a commit may have time for only
        /// one write.
        var isUrgentFirst = true
        /// The lanes without work.
        var idle: [Lane]
        /// How many lanes work at the same time.
        var width: WriterWidth
        /// The lane that has urgent writes in its transaction; nil if none has.
        var urgentLane: Int?
        /// When each lane at work got it, or last finished a commit.
        var progress: [Int: ContinuousClock.Instant] = [:]
        /// Since when no transaction could begin, and why; nil if the last one could.
        var outage: (since: ContinuousClock.Instant, error: StoreError)?
        var isClosed = false
        var tally = CommitTally()
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Removes and returns a lane that may begin to work.
        mutating func nextLane() -> Lane? {
            guard progress.count < width.present, let lane = idle.popLast() else { return nil }
            progress[lane.number] = .now
            return lane
        }

        /// Removes and returns the next write for a lane. A lane that gets an urgent one has all of them until its
        /// transaction has ended.
        ///
        /// - Parameter number: The last write that may be taken.
        mutating func next(for lane: Int, urgentFirst: Bool = true, upTo number: Int = .max) -> QueuedWrite? {
            let mayBeUrgent = urgentLane == nil || urgentLane == lane
            let urgent = queue.urgent.count
            let write = queue.next(urgentFirst: urgentFirst, mayBeUrgent: mayBeUrgent, upTo: number)
            if queue.urgent.count < urgent { urgentLane = lane }
            return write
        }
    }

    /// How often a transaction is tried while others run beside it.
    private static let attemptsBesideOthers = 2

    package let limits: GroupCommitLimits
    /// Whether other transactions that write may run at the same time.
    private let hasRivals: Bool
    private let wake: @Sendable (Set<ActivityID>) -> Void
    let observe: @Sendable (CommitReport) -> Void
    private let state: Mutex<State>
    private let accessChanges = Atomic(0)
    /// The writes that the database refuses at the moment.
    let refused: RefusedWrites
    private let hasFailed = Atomic(false)
    private let failure = Mutex<StoreError?>(nil)

    /// - Parameters:
    ///   - writers: The database's writers. Two of them may be in conflict, and then one transaction runs again.
    ///   - wake: Receives the activities that became due, after each commit.
    ///   - observe: Receives a report of each commit, on its writer. It must not wait.
    ///   - tell: Receives that the database refuses writes, and that it takes them again.
    package init(
        _ writers: [any Writer], limits: GroupCommitLimits, wake: @escaping @Sendable (Set<ActivityID>) -> Void,
        observe: @escaping @Sendable (CommitReport) -> Void = { _ in },
        tell: @escaping @Sendable (WriteNews) -> Void = { _ in }
    ) {
        (self.limits, hasRivals) = (limits, writers.count > 1)
        self.wake = wake
        self.observe = observe
        refused = RefusedWrites(tell)
        let lanes = writers.enumerated().map { Lane($0.offset, $0.element) }
        state = Mutex(State(idle: lanes, width: WriterWidth(upTo: lanes.count)))
    }

    /// Queues a write. Its caller gets an answer in any case.
    ///
    /// - Parameter isUrgent: Whether the write goes ahead of ordinary ones, and counts against a limit of its own.
    package func submit(_ write: QueuedWrite, urgently isUrgent: Bool = false) {
        enum Decision {
            case refuse(EyotError)
            case start(Lane)
            case wait
        }
        let decision: Decision = state.withLock { state in
            guard !state.isClosed else { return .refuse(EyotError(.unavailable, "the server is stopping")) }
            guard (isUrgent ? state.queue.urgent : state.queue.ordinary).count < limits.queue else {
                return .refuse(EyotError(.unavailable, "\(limits.queue) writes are already waiting"))
            }
            state.queue.append(write, urgently: isUrgent)
            guard !isUrgent || state.urgentLane == nil, let lane = state.nextLane() else { return .wait }
            return .start(lane)
        }
        switch decision {
        case .refuse(let error): write.fail(error)
        case .start(let lane): commitSoon(lane)
        case .wait: break
        }
    }

    /// Runs a body in one of the next transactions, and returns when it is durable.
    ///
    /// - Parameters:
    ///   - isUrgent: See ``submit(_:urgently:)``.
    ///   - isUndone: Whether its changes are undone even if it succeeds.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result, urgently isUrgent: Bool = false,
        undone isUndone: Bool = false
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                QueuedWrite(
                    run: { ledger in
                        let result = try body(ledger)
                        return { continuation.resume(returning: result) }
                    },
                    fail: { continuation.resume(throwing: $0) }, isUndone: isUndone),
                urgently: isUrgent)
        }
    }

    /// How many writes no transaction has taken in yet.
    package var waiting: Int { state.withLock(\.queue.count) }

    /// Seconds since a writer last finished an attempt to commit, while it has work; otherwise 0. Of several writers,
    /// the one that has finished none for the longest time counts.
    package var stalledSeconds: Double {
        state.withLock { Self.seconds(since: $0.progress.values.min()) }
    }

    /// Like ``stalledSeconds``, but an attempt that could not even begin does not count as an end. So it is the time
    /// for which nothing could be written.
    package var busySeconds: Double {
        state.withLock { Self.seconds(since: ($0.progress.values + [$0.outage?.since].compactMap(\.self)).min()) }
    }

    private static func seconds(since moment: ContinuousClock.Instant?) -> Double {
        moment.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    }

    /// Why the last transaction could not begin; nil if it could.
    package var heldBy: StoreError? { state.withLock { $0.outage?.error } }

    /// Whether a writer has work.
    package var isWorking: Bool { state.withLock { !$0.progress.isEmpty } }

    /// The number of commits that changed a key or an app.
    package var accessVersion: Int { accessChanges.load(ordering: .sequentiallyConsistent) }

    /// Why the last transaction failed; nil if it was committed.
    package var lastFailure: StoreError? { hasFailed.load(ordering: .relaxed) ? failure.withLock { $0 } : nil }

    /// Whether the store takes no more writes.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Notes that a transaction could not begin, or that one could.
    ///
    /// - Parameter moment: When the attempt began.
    package func noteOutage(_ error: StoreError?, since moment: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.outage = error.map { (state.outage?.since ?? moment, $0) }
        }
    }

    /// Notes how the last transaction ended.
    package func noteFailure(_ error: StoreError?) {
        if let error { failure.withLock { $0 = error } }
        hasFailed.store(error != nil, ordering: .relaxed)
    }

    /// What has been committed.
    package var tally: CommitTally { state.withLock(\.tally) }

    /// Refuses further writes, and returns when all queued writes are answered.
    package func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if !state.progress.isEmpty { state.waiters.append(continuation) }
                return state.progress.isEmpty
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: On a writer

    /// Schedules the next commit on a writer. Between two commits other work of the writer gets its turn.
    private func commitSoon(_ lane: Lane) {
        lane.writer.schedule { connection in
            self.commit(lane, on: connection)
            self.resume(lane)
        }
    }

    private func resume(_ lane: Lane) {
        let (lanes, waiters): ([Lane], [CheckedContinuation<Void, Never>]) = state.withLock { state in
            state.queue.compact()
            state.progress[lane.number] = .now
            if state.urgentLane == lane.number { state.urgentLane = nil }
            let waiting = state.urgentLane == nil ? state.queue.count : state.queue.ordinary.count
            guard waiting == 0 || state.progress.count > state.width.present else {
                return (waiting > 1 ? [lane] + [state.nextLane()].compactMap(\.self) : [lane], [])
            }
            state.progress[lane.number] = nil
            state.idle.append(lane)
            guard state.progress.isEmpty else { return ([], []) }
            defer { state.waiters = [] }
            return ([], state.waiters)
        }
        for lane in lanes { commitSoon(lane) }
        for waiter in waiters { waiter.resume() }
    }

    private func commit(_ lane: Lane, on connection: any WritingConnection) {
        var batch = CommitBatch()
        var failure: StoreError?
        let began = ContinuousClock.now
        do {
            try fillAndCommit(&batch, lane, on: connection)
            // Before any caller is answered, because a caller that revoked a key relies on it.
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            noteFailure(nil)
            for answer in batch.answers { answer() }
            if !batch.woken.isEmpty { wake(batch.woken) }
            observe(batch.report)
        } catch {
            let reason = error as? StoreError ?? .failed("\(error)")
            failure = reason
            noteFailure(reason)
            noteOutage(reason.isOutage ? reason : nil, since: began)
            // If the transaction could not even begin, a write fails for it, so that the queue moves on. All that wait
            // fail if the database cannot be reached, because each attempt may take seconds.
            var failing = batch.count == 0 ? reason.isOutage ? Int.max : 1 : 0
            while failing > 0, let write = state.withLock({ $0.next(for: lane.number) }) {
                batch.written.append(write)
                failing -= 1
            }
            noteFailed(reason, batch)
            if batch.changesAccess { accessChanges.add(1, ordering: .sequentiallyConsistent) }
            for write in batch.written { write.fail(error) }
        }
        if !batch.refused.isEmpty { noteRefused(batch, besides: failure) }
        for (write, error) in batch.refused { write.fail(error) }
    }

    /// Runs a transaction until it is committed, again if it was in conflict with another.
    ///
    /// - Throws: The error of the transaction, which is undone by then.
    private func fillAndCommit(_ batch: inout CommitBatch, _ lane: Lane, on connection: any WritingConnection) throws {
        for attempt in 0... {
            let isAlone = attempt >= Self.attemptsBesideOthers
            let isCareful = lane.isCareful.exchange(false, ordering: .relaxed)
            do {
                try connection.begin(alone: isAlone)
                let isClean =
                    attempt == 0
                    ? try fill(&batch, lane, on: connection, carefully: isCareful)
                    : try batch.runAgain(on: connection, carefully: isCareful)
                if !isClean || batch.metError {
                    // The next transaction has savepoints too, because such bodies mostly come in rows.
                    lane.isCareful.store(true, ordering: .relaxed)
                }
                if hasRivals, !isAlone, batch.metConstraint {
                    throw StoreError.conflict("a constraint, perhaps because of another transaction")
                }
                if !isClean {
                    try connection.rollback()
                    try connection.begin(alone: isAlone)
                    try batch.repeatClean(on: connection)
                }
                if hasRivals, batch.changesAccess { try SQLLedger(connection).noteAccessChange() }
                if !batch.counted.isEmpty { try SQLLedger(connection).storeCounts(batch.counted) }
                let began = ContinuousClock.now
                try connection.commit()
                batch.seconds = began.duration(to: .now) / .seconds(1)
                return count(batch)
            } catch {
                // If even this fails, the next transaction cannot begin, and readiness reports it.
                let isLate = connection.hasFailedLate && !isCareful
                if connection.isInsideTransaction { try? connection.rollback() }
                let isTransient = (error as? StoreError)?.isTransient == true
                guard isTransient || isLate, attempt < limits.repeats else { throw error }
                if isLate { lane.isCareful.store(true, ordering: .relaxed) }
                guard isTransient else { continue }
                state.withLock { state in
                    state.tally.repeats += 1
                    if case .conflict = error as? StoreError { state.width.noteConflict() }
                }
                Self.pause(beforeRepeat: attempt + 1)
            }
        }
    }

    /// Waits a while by chance, longer after each attempt, so that two transactions do not meet again and again.
    private static func pause(beforeRepeat attempt: Int) {
        let longest = UInt32(1_000) << UInt32(min(attempt, 6))
        usleep(UInt32.random(in: 0...longest))
    }

    private func count(_ batch: CommitBatch) {
        state.withLock { state in
            state.tally.commits += 1
            state.tally.writes += batch.written.count
            state.tally.seconds += batch.seconds
            state.outage = nil
            state.width.noteCommit()
        }
    }

    /// Takes writes in, until the batch is full or its time is over.
    ///
    /// - Returns: Whether the transaction can be committed. Otherwise a body has thrown after it had written.
    private func fill(
        _ batch: inout CommitBatch, _ lane: Lane, on connection: any WritingConnection, carefully isCareful: Bool
    ) throws -> Bool {
        let clock = ContinuousClock()
        let (middle, end) = (clock.now + limits.time / 2, clock.now + limits.time)
        let (isUrgentFirst, last) = state.withLock { state in
            defer { state.isUrgentFirst.toggle() }
            return (state.isUrgentFirst, hasRivals ? state.queue.last : .max)
        }
        while batch.count == 0 || (batch.count < limits.batch && clock.now < end) {
            // Half of a batch is for ordinary writes, and every second batch begins with one. So they progress however
            // much is urgent.
            let isUrgentsTurn =
                batch.count == 0 ? isUrgentFirst : batch.count * 2 < limits.batch && clock.now < middle
            let next = state.withLock { $0.next(for: lane.number, urgentFirst: isUrgentsTurn, upTo: last) }
            guard let write = next else { break }
            guard try batch.run(write, on: connection, carefully: isCareful) else { return false }
        }
        return true
    }
}
