import Synchronization

/// Wakes the task that waits for it. Several signals before the wait count as one.
final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiting: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    func raise() {
        let waiting = state.withLock { state in
            state.isRaised = state.waiting == nil
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.finish()
    }

    /// Returns when the signal has been raised since the last wait, or the task is cancelled. One task waits at a time.
    func wait() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isRaised = state.withLock { state in
            defer { (state.isRaised, state.waiting) = (false, state.isRaised ? nil : continuation) }
            return state.isRaised
        }
        guard !isRaised else { return }
        for await _ in stream {}
        state.withLock { $0.waiting = nil }
    }
}
