import EyotDomain
import Synchronization

/// Activities that the store says are due, gathered until the core takes them: however many writes there are between two
/// steps, each activity stands here once.
final class Hints: Sendable {
    private let limit: Int
    private let ids = Mutex<Set<ActivityID>>([])

    /// - Parameter limit: how many activities are kept. Further ones stay due in the store, and are found there.
    init(limit: Int) { self.limit = limit }

    /// Says whether these are the first since the last ``take()``.
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
