import EyotDomain
import Logging
import Synchronization

/// The tenures of this node as its workers see them: the store, for as long as the node holds leases.
///
/// **Problem.** Several processes may use one store: nodes that share the work, a server that starts while the former
/// one still runs, or a machine that stalls and returns. If two of them push for an activity, a card gets two pushes in
/// a second (R7) and a start happens twice (R6). Apple knows no fencing token, and a push that has left cannot be
/// called back.
///
/// **Approach.** The activities are divided into shards (`Sharding`). One row for each, the `NodeLease`, says which
/// node pushes and until when. A ``Tenure`` is the time for which one node holds the lease. Its epoch counts up.
///
///     node A   ├──── tenure 7 ────┤ stalls             seconds of its pushes: before 16:00:12
///                                 16:00:12
///     node B                      ├─ tenure 8 ──       seconds of its pushes: from 16:00:12 on
///
/// - Each transaction of a worker holds the leases that it needs first (``write(for:_:)``). If another node has one,
///   the transaction writes nothing and that tenure is lost.
/// - Holding a lease also extends it when less than half of its 12 seconds is left. The ``Node`` does the same for
///   shards for which nothing is written.
/// - No push is stamped at or after the end of its shard's lease. A page has one shard and carries that end, and the
///   sender compares it with the second that it writes.
/// - A successor begins at the end of the lease. It begins in the next second if the lease was given back or its owner
///   is known to be dead. Workers learn of the shard then, and not before.
///
/// **Why it is right.** The seconds of two tenures of a shard never mix, whatever the clocks of the nodes read. A phone
/// orders pushes by these seconds, so it drops what a stalled node sends late. Unanswered starts are declared unknown
/// when a tenure begins. The former node can answer for none of them, because its transactions fail.
///
/// **The end.** A tenure ends when the process shuts down, another node has the lease or is to have it, or verdicts
/// cannot be stored. Workers then begin nothing more for the shard, finish what is under way, and report that
/// (``leave(_:)``). After that the node gives the lease back, unless it was lost.
package final class Tenancy: Sendable {
    private struct State {
        /// The tenures that have begun and have not been given back.
        var tenures: [Int: Tenure] = [:]
        /// The shards that workers may work on.
        var served: Set<Int> = []
        /// Shards that another node has.
        var lost: Set<Int> = []
        /// The shards that each worker has been told of and has not left.
        var known: [WorkerID: Set<Int>] = [:]
        /// How many workers have left a shard that is not served any longer, or were never told of it.
        var leavers: [Int: Int] = [:]
        var isOver = false
        /// Rises when the served shards change.
        var version = 0
        /// The tasks in ``Tenancy/ended()``; finished when all is over. A cancelled task removes its own entry.
        var waiting: [Int: Waiting] = [:]
        /// How many tasks have ever waited. The next one gets the next number as its key.
        var waits = 0
    }

    /// A worker of this node.
    package struct WorkerID: Sendable, Hashable { fileprivate let number: Int }

    private struct Waiting {
        var continuation: AsyncStream<Void>.Continuation
        /// Whether a change of the served shards ends the wait, too.
        var endsAtChange: Bool
    }

    package let sharding: Sharding
    let hints: Hints
    /// Signals that there are ``hints`` to read.
    let hinted: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation
    /// Signals that ``served`` has changed; finished when all is over. For one worker.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    /// Signals that workers have left shards, or have lost them. For the node.
    let departures = Signal()
    /// What this process reports about its pushing.
    let pushing: PushingState
    private let workers: Int
    private let store: any Store
    private let clock: any WallClock
    private let state = Mutex(State())

    /// - Parameter workers: How many workers have to leave a shard before it is given back.
    init(
        of sharding: Sharding, workers: Int, store: any Store, clock: any WallClock, pushing: PushingState
    ) {
        (self.sharding, self.workers) = (sharding, workers)
        (self.store, self.clock, self.pushing) = (store, clock, pushing)
        hints = Hints(limit: EngineCore.Limits().turns)
        (hinted, hint) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Shards

    /// The shards that workers may work on.
    package var served: Set<Int> { state.withLock(\.served) }

    /// Adds a worker. It works on no shard yet.
    func join() -> WorkerID {
        state.withLock { state in
            let worker = WorkerID(number: state.known.count)
            state.known[worker] = []
            return worker
        }
    }

    /// Tells a worker the shards that it may work on. It reports when it has left each of them again.
    func served(by worker: WorkerID) -> Set<Int> {
        state.withLock { state in
            state.known[worker, default: []].formUnion(state.served)
            return state.served
        }
    }

    /// Rises when ``served`` changes.
    var version: Int { state.withLock(\.version) }

    /// The shards with a tenure, also those that workers are leaving.
    var held: Set<Int> { state.withLock { Set($0.tenures.keys) } }

    /// The held shards that no other node is known to have.
    var owned: Set<Int> { state.withLock { Set($0.tenures.keys).subtracting($0.lost) } }

    /// Adds tenures that have begun. Workers learn of them by ``serve(_:)``.
    func add(_ leases: [NodeLease]) {
        state.withLock { state in
            for lease in leases { state.tenures[lease.shard] = Tenure(of: lease) }
        }
    }

    /// Lets the workers work on shards of which the tenures have begun.
    func serve(_ shards: Set<Int>) {
        guard !shards.isEmpty else { return }
        state.withLock { $0.served.formUnion(shards.intersection($0.tenures.keys)) }
        noteChange()
    }

    private func noteChange() {
        let waiting = state.withLock { state in
            state.version += 1
            let ended = state.waiting.filter(\.value.endsAtChange)
            for place in ended.keys { state.waiting[place] = nil }
            return ended.values
        }
        for one in waiting { one.continuation.finish() }
        change.yield()
    }

    /// Begins nothing more for shards. A worker that was never told of a shard has nothing under way for it.
    func giveBack(_ shards: Set<Int>) {
        guard !shards.isEmpty else { return }
        state.withLock { state in
            for shard in shards.intersection(state.tenures.keys) where state.leavers[shard] == nil {
                state.leavers[shard] = workers - state.known.values.count { $0.contains(shard) }
            }
            state.served.subtract(shards)
        }
        noteChange()
        departures.raise()
    }

    /// Notes that a worker has nothing under way for shards that are not served any longer.
    func leave(_ shards: Set<Int>, by worker: WorkerID) {
        guard !shards.isEmpty else { return }
        state.withLock { state in
            for shard in shards where state.leavers[shard] != nil {
                if state.known[worker]?.remove(shard) != nil { state.leavers[shard, default: 0] += 1 }
            }
        }
        departures.raise()
    }

    /// Removes and returns the tenures of shards that all workers have left.
    func takeLeft() -> (kept: [Tenure], lost: Set<Int>) {
        state.withLock { state in
            let left = Set(state.leavers.filter { $0.value >= workers }.keys)
            let kept = left.subtracting(state.lost).sorted().compactMap { state.tenures[$0] }
            let lost = left.intersection(state.lost)
            for shard in left { (state.tenures[shard], state.leavers[shard]) = (nil, nil) }
            state.lost.subtract(left)
            return (kept, lost)
        }
    }

    // MARK: Transactions

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await store.read(body) }

    /// Writes in a transaction that holds the leases of some shards, and passes them to the body.
    ///
    /// - Throws: ``TenureLost`` if another node has one of them. Then nothing was written, and these tenures are over.
    func write<Result: Sendable>(
        for shards: Set<Int>, _ body: @escaping @Sendable (any Ledger, HeldLeases) throws -> Result
    ) async throws -> Result {
        let (clock, sharding) = (clock, sharding)
        let tenures = state.withLock { state in shards.sorted().compactMap { state.tenures[$0] } }
        do {
            guard tenures.count == shards.count else {
                throw TenureLost(shards.subtracting(tenures.map(\.shard)))
            }
            return try await store.writeUrgently { ledger in
                try body(ledger, try Tenure.hold(tenures, of: sharding, in: ledger, at: clock.now))
            }
        } catch let lost as TenureLost {
            state.withLock { $0.lost.formUnion(lost.shards.intersection($0.tenures.keys)) }
            giveBack(lost.shards)
            throw lost
        }
    }

    /// How often a write of verdicts is tried before the tenure ends.
    private static let verdictAttempts = 5
    private static let verdictPause = 1.0

    /// Stores verdicts, and tries again if the store fails, because Apple reports a verdict only once.
    ///
    /// If every attempt fails, the tenures are over. The next ones find starts without an answer, and treat them as
    /// unknown (R6).
    ///
    /// - Throws: ``TenureLost`` at once, or the error of the last attempt.
    func writeVerdicts<Result: Sendable>(
        for shards: Set<Int>, logger: Logger, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        for _ in 1..<Self.verdictAttempts {
            do {
                return try await write(for: shards) { ledger, _ in try body(ledger) }
            } catch let lost as TenureLost {
                throw lost
            } catch {
                logger.warning("Verdicts could not be stored; trying again", metadata: ["error": "\(error)"])
                try await clock.pause(seconds: Self.verdictPause)
            }
        }
        do {
            return try await write(for: shards) { ledger, _ in try body(ledger) }
        } catch {
            giveBack(shards)
            throw error
        }
    }

    /// Gives leases back. The workers have finished everything that was under way.
    func release(_ tenures: [Tenure]) async throws {
        let clock = clock
        try await store.writeUrgently { ledger in
            // Another node may have a lease that has run out; the others are given back all the same.
            for tenure in tenures { do { try tenure.end(in: ledger, at: clock.now) } catch is TenureLost {} }
        }
    }

    // MARK: Its end

    /// Whether nothing more may begin.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Ends the work of the workers.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for one in waiting.values { one.continuation.finish() }
        change.finish()
    }

    /// Returns when all is over or the task is cancelled.
    func ended() async { await waitForEnd(orChangeSince: nil) }

    private func waitForEnd(orChangeSince version: Int?) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let place: Int? = state.withLock { state in
            guard !state.isOver, version == nil || version == state.version else { return nil }
            state.waits += 1
            state.waiting[state.waits] = Waiting(continuation: continuation, endsAtChange: version != nil)
            return state.waits
        }
        guard let place else { return }
        defer { state.withLock { $0.waiting[place] = nil } }
        for await _ in stream {}
    }

    /// How many tasks wait for the end.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Pauses for some seconds, or until all is over.
    ///
    /// - Parameter version: A ``version``, if a change since then is to end the pause.
    func pause(seconds: Double, since version: Int? = nil) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForEnd(orChangeSince: version) }
            // Cut short at the end.
            group.addTask { try? await self.clock.pause(seconds: seconds) }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: The clock

    /// Notes that cards wait for a second ahead of the clock. Logs a warning once for as long as any card waits.
    func noteCards(waitingUntil moment: Instant, logger: Logger) {
        guard pushing.noteCards(waitingUntil: moment, at: clock.now) else { return }
        logger.warning(
            "Cards wait for the clock: their last push carries a later second, from a clock that was ahead",
            metadata: ["until": "\(moment.rfc3339)"])
    }

    /// Makes due what was noted before the clock was set back, and tries again if the store fails. Any node may do
    /// that, because what is not due yet rests again after one look.
    func recall(after setBack: ClockSetBack, logger: Logger) async {
        var hasMore = true
        while hasMore, !isOver, !Task.isCancelled {
            do {
                hasMore = try await store.writeUrgently { [clock] ledger in
                    try RecallDue(Transaction(ledger, at: clock.now))(after: setBack)
                }
            } catch is CancellationError {
                return
            } catch {
                logger.stepFailed("What was due before the clock was set back was not found", error)
                await pause(seconds: Self.verdictPause)
            }
        }
    }

    // MARK: Hints

    /// Adds activities that a write has made due to the hints.
    func wake(_ ids: [ActivityID]) { if hints.add(ids) { hint.yield() } }
}
