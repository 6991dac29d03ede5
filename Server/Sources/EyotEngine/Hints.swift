import EyotDomain
import Synchronization

/// Activities that the store reports as due, gathered until the core reads them. However many writes come between two
/// steps, each activity is here once.
final class Hints: Sendable {
    private struct Gathered {
        var ids: Set<ActivityID> = []
        /// Whether other processes have made activities due, which the store must be asked for.
        var hasOthers = false

        var isEmpty: Bool { ids.isEmpty && !hasOthers }
    }

    private let limit: Int
    private let gathered = Mutex(Gathered())

    /// - Parameter limit: How many activities are kept. Further ones stay due in the store, and are found there.
    init(limit: Int) { self.limit = limit }

    /// Adds activities, and returns whether they are the first since the last ``take()``.
    ///
    /// - Parameter news: Empty if other processes have made activities due.
    func add(_ news: [ActivityID]) -> Bool {
        gathered.withLock { gathered in
            let wasEmpty = gathered.isEmpty
            if news.isEmpty { gathered.hasOthers = true }
            for id in news where gathered.ids.count < limit { gathered.ids.insert(id) }
            return wasEmpty && !gathered.isEmpty
        }
    }

    func take() -> EngineCore.Input {
        gathered.withLock { gathered in
            defer {
                gathered.ids.removeAll(keepingCapacity: gathered.ids.count < 1_000)
                gathered.hasOthers = false
            }
            return .woken(Array(gathered.ids), andOthers: gathered.hasOthers)
        }
    }
}
