import EyotDomain
import Logging
import Synchronization

/// One tenure of this node as its workers see it: the store, for as long as the node holds the lease.
///
/// **Problem.** Several processes may use one store: a server that starts while the former one still runs, or a machine
/// that stalls and returns. If two of them push, a card gets two pushes in a second (R7) and a start happens twice
/// (R6). Apple knows no fencing token, and a push that has left cannot be called back.
///
/// **Approach.** One row, the `NodeLease`, says which node pushes and until when. A ``Tenure`` is the time for which
/// one node holds the lease. Its epoch counts up.
///
///     node A   ├──── tenure 7 ──────────┤ stalls        seconds of its pushes: before 16:00:20
///                                       16:00:20
///     node B                            ├─ tenure 8 ──  seconds of its pushes: from 16:00:20 on
///
/// - Each transaction of a worker holds the lease first (``write(_:)``). If another node has it, the transaction writes
///   nothing and the tenure is lost.
/// - Holding the lease also extends it when less than half of its 20 seconds is left. ``renew()`` does the same for a
///   node that writes nothing.
/// - No push is stamped at or after the end of the lease. A page carries that end, and the sender compares it with the
///   second that it writes.
/// - A successor begins at the end of the lease. It begins in the next second if the lease was given back or its owner
///   is known to be dead. Nothing leaves before ``beginsAt``.
///
/// **Why it is right.** The seconds of two tenures never mix, whatever the clocks of the nodes read. A phone orders
/// pushes by these seconds, so it drops what a stalled node sends late. The engine declares unanswered starts unknown
/// when its tenure begins. The former node can answer for none of them, because its transactions fail.
///
/// **The end.** A tenure ends when the process shuts down, another node takes the lease, a worker ends, or verdicts
/// cannot be stored. Workers then begin nothing more and finish what is under way. After that the node gives the lease
/// back, unless it was lost.
package final class Tenancy: Sendable {
    private struct State {
        var until: Instant
        var isOver = false
        var isLost = false
        /// The tasks in ``Tenancy/ended()``; finished when the tenure is over. A cancelled task removes its own entry.
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        /// How many tasks have ever waited. The next one gets the next number as its key.
        var waits = 0
    }

    /// The moment before which nothing leaves, because the former node may have pushed until then.
    package let beginsAt: Instant
    let hints: Hints
    /// Signals that there are ``hints`` to read.
    let hinted: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation
    /// What this process reports about its pushing.
    let pushing: PushingState
    private let store: any Store
    private let clock: any WallClock
    private let tenure: Tenure
    private let state: Mutex<State>

    init(
        _ tenure: Tenure, until: Instant, beginsAt: Instant, store: any Store, clock: any WallClock,
        pushing: PushingState
    ) {
        self.tenure = tenure
        self.beginsAt = beginsAt
        self.pushing = pushing
        self.store = store
        self.clock = clock
        hints = Hints(limit: EngineCore.Limits().turns)
        (hinted, hint) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(State(until: until))
    }

    /// Whether nothing more may begin.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Whether another node has begun a tenure.
    var isLost: Bool { state.withLock(\.isLost) }

    // MARK: Transactions

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await store.read(body) }

    /// Writes in a transaction that holds the lease, and passes the lease to the body.
    ///
    /// - Throws: ``TenureLost`` if another node has the lease. Then nothing was written, and this tenure is over.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger, NodeLease) throws -> Result
    ) async throws -> Result {
        let (tenure, clock) = (tenure, clock)
        do {
            let (result, lease) = try await store.writeUrgently { ledger in
                let lease = try tenure.hold(in: ledger, at: clock.now)
                return (try body(ledger, lease), lease)
            }
            state.withLock { $0.until = lease.until }
            return result
        } catch let lost as TenureLost {
            end(isLost: true)
            throw lost
        }
    }

    /// How often a write of verdicts is tried before the tenure ends.
    private static let verdictAttempts = 5
    private static let verdictPause = 1.0

    /// Stores verdicts, and tries again if the store fails, because Apple reports a verdict only once.
    ///
    /// If every attempt fails, the tenure is over. The next tenure finds starts without an answer, and treats them as
    /// unknown (R6).
    ///
    /// - Throws: ``TenureLost`` at once, or the error of the last attempt.
    func writeVerdicts<Result: Sendable>(
        logger: Logger, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        for _ in 1..<Self.verdictAttempts {
            do {
                return try await write { ledger, _ in try body(ledger) }
            } catch let lost as TenureLost {
                throw lost
            } catch {
                logger.warning("Verdicts could not be stored; trying again", metadata: ["error": "\(error)"])
                try await clock.pause(seconds: Self.verdictPause)
            }
        }
        do {
            return try await write { ledger, _ in try body(ledger) }
        } catch {
            end()
            throw error
        }
    }

    /// Extends the lease of a node that writes nothing, until the tenure is over. Another node would take a lease that
    /// has run out.
    func renew() async {
        let half = Double(NodeLease.duration) / 2
        while !isOver, !Task.isCancelled {
            let until = state.withLock(\.until)
            await pause(seconds: min(half, max(Self.shortestWait, (until - half).seconds(since: clock.now))))
            // The end may be far away because a clock was ahead. It is brought back, or the lease would seem abandoned.
            let left = until.seconds(since: clock.now)
            guard !isOver, !Task.isCancelled, left < half || left > NodeLease.longestLead else { continue }
            // If the store fails, the loop tries again. If the lease is lost, the tenure is over.
            try? await write { _, _ in }
        }
    }

    private static let shortestWait = 0.2

    /// Gives the lease back. The caller has finished everything that was under way.
    func release() async throws {
        let (tenure, clock) = (tenure, clock)
        try await store.writeUrgently { try tenure.end(in: $0, at: clock.now) }
    }

    // MARK: Its end

    /// Ends the tenure: nothing more begins.
    func end(isLost: Bool = false) {
        let waiting = state.withLock { state in
            state.isOver = true
            if isLost { state.isLost = true }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.finish() }
    }

    /// Returns when the tenure is over or the task is cancelled.
    func ended() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let place: Int? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.waits += 1
            state.waiting[state.waits] = continuation
            return state.waits
        }
        guard let place else { return }
        defer { state.withLock { $0.waiting[place] = nil } }
        for await _ in stream {}
    }

    /// How many tasks wait for the end.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Pauses for some seconds, or until the tenure is over.
    func pause(seconds: Double) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.ended() }
            // Cut short when the tenure ends.
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

    /// Makes due what was noted before the clock was set back, and tries again if the store fails.
    func recall(after setBack: ClockSetBack, logger: Logger) async {
        var hasMore = true
        while hasMore, !isOver, !Task.isCancelled {
            do {
                hasMore = try await write { [clock] ledger, _ in
                    try RecallDue(Transaction(ledger, at: clock.now))(after: setBack)
                }
            } catch is TenureLost, is CancellationError {
                return
            } catch {
                logger.error(
                    "What was due before the clock was set back was not found", metadata: ["error": "\(error)"])
                await pause(seconds: Self.verdictPause)
            }
        }
    }

    // MARK: Hints

    /// Adds activities that a write has made due to the hints.
    func wake(_ ids: [ActivityID]) { if hints.add(ids) { hint.yield() } }
}
