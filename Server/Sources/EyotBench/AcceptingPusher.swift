import APNSWire
import EyotDomain
import Synchronization

/// Accepts every push at once: what is left is the cost of engine and store.
final class AcceptingPusher: Pusher {
    private struct State {
        var pushes = 0
        var first: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    func push(_ page: PushPage, with key: PushCredentials) async -> PageVerdicts {
        state.withLock { state in
            state.first = state.first ?? .now
            state.pushes += page.count
        }
        return PageVerdicts(count: page.count, .accepted)
    }

    /// Pushes since the last time, and when the first of them came.
    func take() -> (pushes: Int, first: ContinuousClock.Instant?) {
        state.withLock { state in
            defer { state = State() }
            return (state.pushes, state.first)
        }
    }
}
