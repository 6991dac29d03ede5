import EyotDomain
import Synchronization

/// The turn of one search.
///
/// A question yields its turn once if a declaration of its app waits: its search is interrupted and waits for another
/// turn, which it need not yield. So a start does not wait until a costly count is over.
package final class SearchTurn: Sendable {
    /// How long a question keeps its turn at least.
    package static let leastTime = Duration.seconds(1)

    let app: AppID
    /// From when on the turn may be yielded; nil if it may not.
    private let mayYieldFrom: ContinuousClock.Instant?
    private let isWanted = Atomic(false)
    private let isYielded = Atomic(false)

    init(of app: AppID, yieldingAfter time: Duration?) {
        self.app = app
        mayYieldFrom = time.map { ContinuousClock.now + $0 }
    }

    /// Whether the search was interrupted for a declaration.
    var hasYielded: Bool { isYielded.load(ordering: .relaxed) }

    /// Notes that a declaration waits for the turn.
    func want() { isWanted.store(true, ordering: .relaxed) }

    /// Whether the search has to be interrupted now.
    package func yields(at now: ContinuousClock.Instant) -> Bool {
        guard let mayYieldFrom, isWanted.load(ordering: .relaxed), now >= mayYieldFrom else { return false }
        isYielded.store(true, ordering: .relaxed)
        return true
    }
}
