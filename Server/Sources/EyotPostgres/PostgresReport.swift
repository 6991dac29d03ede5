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
}

/// The present outage of a database. A reason is reported once, however many calls meet it.
final class PostgresOutage: Sendable {
    private let state = Mutex<StoreError?>(nil)
    private let report: @Sendable (PostgresReport) -> Void

    init(_ report: @escaping @Sendable (PostgresReport) -> Void) { self.report = report }

    /// The reason; nil if there is no outage.
    var present: StoreError? { state.withLock(\.self) }

    /// Notes how a transaction ended.
    ///
    /// - Parameter failure: Its error; nil if it succeeded.
    func note(_ failure: StoreError?) {
        let news: PostgresReport? = state.withLock { state in
            guard let failure else {
                defer { state = nil }
                return state == nil ? nil : .answers
            }
            guard failure.isOutage, state?.kind != failure.kind else { return nil }
            state = failure
            return .outage(failure)
        }
        if let news { report(news) }
    }
}
