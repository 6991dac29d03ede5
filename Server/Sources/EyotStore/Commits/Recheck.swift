import Synchronization

/// One look at a database that is in trouble, shared by all callers that ask meanwhile. It may take long, so no caller
/// waits for it longer than a stated time.
package final class Recheck: Sendable {
    private struct State {
        var isRunning = false
        var number = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The callers that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    /// How long a question of health waits for the look. Balancers give up after a second.
    package static let patience = Duration.milliseconds(500)

    private let state = Mutex(State())

    package init() {}

    /// Begins the look unless one is under way, and returns when it is over or the patience has ended.
    package func run(_ look: @escaping @Sendable () async -> Void) async {
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins {
            // It ends by itself, because each write is answered in any case.
            Task {
                await look()
                finish()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            // Cancelled when the look is over.
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait() async {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.isRunning, state.cancelled.remove(number) == nil else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: number)
                if waiting == nil, state.isRunning { state.cancelled.insert(number) }
                return waiting
            }
            waiting?.resume()
        }
    }

    private func finish() {
        let waiting = state.withLock { state in
            defer { (state.isRunning, state.waiting, state.cancelled) = (false, [:], []) }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }
}
