import EyotDomain
import Logging
import Synchronization

/// One tenure of this node as its workers see it: the store, as long as the node holds its lease.
package final class Tenancy: Sendable {
    private struct State {
        var until: Instant
        var isOver = false
        var isLost = false
        /// Finished when it is over. Who waits no longer takes its own out.
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        /// How many have ever waited: the next one's key.
        var waits = 0
    }

    /// Nothing leaves before: the node before this one may have pushed up to then.
    package let beginsAt: Instant
    let hints: Hints
    /// Says that there are ``hints`` to take.
    let hinted: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation
    /// What this process says of its pushing.
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

    /// Whether nothing more is to be begun.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Whether another node has begun a tenure.
    var isLost: Bool { state.withLock(\.isLost) }

    // MARK: Transactions

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await store.read(body) }

    /// Writes in a transaction that holds the lease, which the body gets to see.
    ///
    /// - Throws: ``TenureLost`` where another node has it: then nothing was written, and this tenure is over.
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

    /// How often a write of verdicts is tried before they are left to be asked for again, as after a crash.
    private static let verdictAttempts = 5
    private static let verdictPause = 1.0

    /// Writes down what Apple has said, which is not said twice: a store that fails for a moment is asked again. Where it fails on the tenure
    /// is over, as after a crash: the next one finds what has left and has no answer, which is of unknown fate (R6).
    ///
    /// - Throws: ``TenureLost`` at once, and what the last attempt met.
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

    /// Extends the lease where nothing else does, until the tenure is over: another node would take one that has run out.
    func renew() async {
        let half = Double(NodeLease.duration) / 2
        while !isOver, !Task.isCancelled {
            let until = state.withLock(\.until)
            await pause(seconds: min(half, max(Self.shortestWait, (until - half).seconds(since: clock.now))))
            // An end from a clock that was ahead is far away, and brought back: otherwise the lease would seem
            // abandoned.
            let left = until.seconds(since: clock.now)
            guard !isOver, !Task.isCancelled, left < half || left > NodeLease.longestLead else { continue }
            // Where the store fails it is tried again; where the lease is lost the tenure is over.
            try? await write { _, _ in }
        }
    }

    private static let shortestWait = 0.2

    /// Gives the lease back. Everything that was under way has ended.
    func release() async throws {
        let (tenure, clock) = (tenure, clock)
        try await store.writeUrgently { try tenure.end(in: $0, at: clock.now) }
    }

    // MARK: Its end

    /// Nothing more is begun from now on.
    func end(isLost: Bool = false) {
        let waiting = state.withLock { state in
            state.isOver = true
            if isLost { state.isLost = true }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.finish() }
    }

    /// Returns when it is over, or when the task is cancelled.
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

    /// How many wait for its end.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Waits, and no longer than until it is over.
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

    /// Cards were met that wait for a second ahead of the clock. Logged once for as long as any waits.
    func noteCards(waitingUntil moment: Instant, logger: Logger) {
        guard pushing.noteCards(waitingUntil: moment, at: clock.now) else { return }
        logger.warning(
            "Cards wait for the clock: their last push carries a later second, from a clock that was ahead",
            metadata: ["until": "\(moment.rfc3339)"])
    }

    /// Makes due what the clock noted before it was set back. A store that fails is asked again.
    func recall(after setBack: ClockSetBack, logger: Logger) async {
        var hasMore = true
        while hasMore, !isOver, !Task.isCancelled {
            do {
                hasMore = try await write { [clock] ledger, _ in
                    try RecallDue(ledger: ledger, now: clock.now)(after: setBack)
                }
            } catch is TenureLost {
                return
            } catch {
                logger.error(
                    "What was due before the clock was set back was not found", metadata: ["error": "\(error)"])
                await pause(seconds: Self.verdictPause)
            }
        }
    }

    // MARK: Hints

    /// These are due, by what somebody has written.
    func wake(_ ids: [ActivityID]) { if hints.add(ids) { hint.yield() } }
}
