import Foundation

/// The tasks that a recorder has started.
///
/// Unchecked: every property is used between lock and unlock only.
nonisolated final class FollowedCards: @unchecked Sendable {
    private let lock = NSLock()
    private var tasks: [Task<Void, Never>] = []
    private var beginnings: [String: Task<Void, Never>] = [:]
    private var requests = 0

    /// The next request's number.
    func nextRequest() -> Int {
        locked {
            requests += 1
            return requests
        }
    }

    /// Returns the task that starts to follow a card. The first call creates it.
    func beginning(of card: String, _ begin: () -> Task<Void, Never>) -> Task<Void, Never> {
        locked {
            let beginning = beginnings[card] ?? begin()
            beginnings[card] = beginning
            return beginning
        }
    }

    func add(_ task: Task<Void, Never>) { locked { tasks.append(task) } }

    func cancelAll() { locked { for task in tasks { task.cancel() } } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
