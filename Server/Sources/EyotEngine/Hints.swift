import EyotDomain
import Synchronization

/// Activities that the store reports as due, gathered until the core reads them. However many writes come between two
/// steps, each activity is here once.
final class Hints: Sendable {
    private let limit: Int
    private let ids = Mutex<Set<ActivityID>>([])

    /// - Parameter limit: How many activities are kept. Further ones stay due in the store, and are found there.
    init(limit: Int) { self.limit = limit }

    /// Adds activities, and returns whether they are the first since the last ``take()``.
    func add(_ news: [ActivityID]) -> Bool {
        ids.withLock { ids in
            let wasEmpty = ids.isEmpty
            for id in news where ids.count < limit { ids.insert(id) }
            return wasEmpty && !ids.isEmpty
        }
    }

    func take() -> [ActivityID] {
        ids.withLock { ids in
            defer { ids.removeAll(keepingCapacity: ids.count < 1_000) }
            return Array(ids)
        }
    }
}
