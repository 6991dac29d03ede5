import APNSWire
import EyotDomain
import Synchronization

/// A sink that accepts a limited number of pushes per second. Further ones wait.
final class NarrowSink: Pusher {
    private struct State {
        /// The moment when the present pushes will have passed.
        var free = ContinuousClock.now
        /// The newest declared number.
        var newest = 0
        /// The pushes with an older number since the newest was declared.
        var older = 0
        var mostOlder = 0
    }

    private let pushesPerSecond: Int
    private let state = Mutex(State())

    init(pushesPerSecond: Int) { self.pushesPerSecond = pushesPerSecond }

    /// Records that a state with this number was declared.
    func declared(_ number: Int) {
        state.withLock { state in
            state.newest = number
            state.older = 0
        }
    }

    /// The most pushes that left with an older state after a newer one was declared.
    var mostOlder: Int { state.withLock(\.mostOlder) }

    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        let through = state.withLock { state in
            state.free =
                max(state.free, .now) + .seconds(1) * (Double(page.count) / Double(pushesPerSecond))
            return state.free
        }
        guard (try? await Task.sleep(until: through)) != nil else { return PageVerdicts(count: page.count) }
        let numbers = page.templates.map { TemplateWords($0).number ?? 0 }
        state.withLock { state in
            state.older += page.templateIndices.count { numbers[Int($0)] < state.newest }
            state.mostOlder = max(state.mostOlder, state.older)
        }
        return PageVerdicts(count: page.count, .accepted)
    }
}
