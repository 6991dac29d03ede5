import EyotStore
import Synchronization

/// What becomes of a store's database, for the log.
package enum PostgresReport: Sendable, Hashable {
    /// Other nodes wake this one again after they could not.
    case wakesAgain
    /// Other nodes cannot wake this one until its connection can be made again. Polling finds what is due meanwhile.
    case wakeUpsLost(StoreError)
    /// Only polling finds what other nodes accept, because a pooler hands each transaction to another connection.
    case pooled
    /// Only polling finds what other nodes accept, because the direct URL leads to another database.
    case elsewhere
    /// The database takes no reads or no writes, for this reason from now on.
    case outage(StoreError)
    /// It does again.
    case answers
    /// The database allows fewer connections than this process may make.
    case crowded(limit: Int, connections: Int)
    /// The database refuses some writes or reads, or takes them again.
    case writes(WriteNews)
    /// Another server has taken the place of the one that the database was on. It may have forgotten the last changes,
    /// if no standby had to have them.
    case succeeded(forgot: Bool)
}

/// The present outage of a database. A reason is reported once, however many calls meet it.
///
/// When the database could not be reached for two seconds, one call in a second tries, because a try may take long. The
/// others are refused at once.
final class PostgresOutage: Sendable {
    private struct State {
        var present: StoreError?
        /// From when on calls are refused.
        var refusesFrom = ContinuousClock.now
        /// When the next call may try all the same.
        var nextTry = ContinuousClock.now
    }

    /// How long calls go on trying. One connection may fail alone, and then others succeed.
    private static let patience = Duration.seconds(2)
    private static let pause = Duration.seconds(1)

    private let state = Mutex(State())
    private let report: @Sendable (PostgresReport) -> Void

    init(_ report: @escaping @Sendable (PostgresReport) -> Void) { self.report = report }

    /// The reason; nil if there is no outage.
    var present: StoreError? { state.withLock(\.present) }

    /// Lets a call try.
    ///
    /// - Throws: ``StoreError/unreachable(_:_:)`` if another one has just tried.
    func admit(at now: ContinuousClock.Instant = .now) throws {
        let refusal: StoreError? = state.withLock { state in
            guard state.present != nil, now >= state.refusesFrom else { return nil }
            if now < state.nextTry { return state.present }
            state.nextTry = now + Self.pause
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Notes how a transaction ended.
    ///
    /// - Parameter failure: Its error; nil if it succeeded.
    func note(_ failure: StoreError?, at now: ContinuousClock.Instant = .now) {
        let news: PostgresReport? = state.withLock { state in
            guard let failure else {
                defer { state.present = nil }
                return state.present == nil ? nil : .answers
            }
            guard failure.isOutage, state.present?.kind != failure.kind else { return nil }
            if state.present == nil { state.refusesFrom = now + Self.patience }
            state.present = failure
            return .outage(failure)
        }
        if let news { report(news) }
    }
}
