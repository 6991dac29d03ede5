import Dispatch
import EyotStore
import Synchronization

/// A connection with a queue of its own, because libpq's calls block.
final class PostgresLane: Writer {
    private let queue: DispatchQueue
    /// Only work of the queue takes the lock, so it is always free.
    private let connection: Mutex<PostgresConnection>

    init(
        _ url: PostgresURL, application: String, longestSearch: Duration? = nil, rules: PostgresRules,
        commits: KnownCommits = KnownCommits(), report: @escaping @Sendable (PostgresReport) -> Void = { _ in }
    ) {
        queue = DispatchQueue(label: "org.eyot.postgres")
        connection = Mutex(
            PostgresConnection(
                url, application: application, longestSearch: longestSearch, rules: rules, commits: commits,
                report: report))
    }

    func schedule(_ work: @escaping @Sendable (any WritingConnection) -> Void) {
        queue.async { self.connection.withLock { work($0) } }
    }

    /// Runs work on the connection.
    func run(_ work: @escaping @Sendable (PostgresConnection) -> Void) {
        queue.async { self.connection.withLock { work($0) } }
    }

    /// What its connection has done so far.
    var work: PostgresWork {
        get async {
            await withCheckedContinuation { continuation in run { continuation.resume(returning: $0.work) } }
        }
    }

    /// Closes the connection after the work that was scheduled before.
    func close() async {
        await withCheckedContinuation { continuation in
            run { connection in
                connection.close()
                continuation.resume()
            }
        }
    }
}

/// Lanes that share work: each piece goes to a lane that is free, or waits.
final class PostgresPool: Sendable {
    private struct State {
        var free: [PostgresLane]
        var waiting = Line<@Sendable (PostgresLane?) -> Void>()
    }

    let lanes: [PostgresLane]
    private let state: Mutex<State>
    /// How much work may wait.
    private static let mostWaiting = 10_000

    init(_ lanes: [PostgresLane]) {
        self.lanes = lanes
        state = Mutex(State(free: lanes))
    }

    /// Runs work on a connection.
    ///
    /// - Throws: ``StoreError/unreachable(_:_:)`` if too much waits, and the errors of the work.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            submit { lane in
                guard let lane else {
                    return continuation.resume(
                        throwing: StoreError.unreachable(.connections, "too many reads wait for a connection"))
                }
                lane.run { connection in
                    let result = Swift.Result { try work(connection) }
                    self.release(lane)
                    continuation.resume(with: result)
                }
            }
        }
    }

    private func submit(_ work: @escaping @Sendable (PostgresLane?) -> Void) {
        enum Decision {
            case run(PostgresLane)
            case refuse, wait
        }
        let decision: Decision = state.withLock { state in
            if let lane = state.free.popLast() { return .run(lane) }
            guard state.waiting.count < Self.mostWaiting else { return .refuse }
            state.waiting.append(work)
            return .wait
        }
        switch decision {
        case .run(let lane): work(lane)
        case .refuse: work(nil)
        case .wait: break
        }
    }

    private func release(_ lane: PostgresLane) {
        let next = state.withLock { state in
            let next = state.waiting.next()
            state.waiting.compact()
            if next == nil { state.free.append(lane) }
            return next
        }
        next?(lane)
    }

    func close() async {
        for lane in lanes { await lane.close() }
    }
}
