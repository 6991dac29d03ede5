import Synchronization

/// The spans that wait for their export. Beyond the limit spans are dropped and counted.
package final class SpanQueue: Sendable {
    /// The most spans that wait.
    package static let limit = 4_096

    private struct State {
        var waiting: [SpanRecord] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = SpanQueue.limit) { self.limit = limit }

    /// Spans that were dropped since the process began.
    package var dropped: Int { state.withLock(\.dropped) }

    package func add(_ span: SpanRecord) {
        state.withLock { state in
            guard state.waiting.count < limit else {
                state.dropped += 1
                return
            }
            state.waiting.append(span)
        }
    }

    /// Removes and returns the oldest spans.
    package func take(atMost count: Int) -> [SpanRecord] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// Returns taken spans to the front of the queue. Beyond the limit they are dropped and counted.
    package func putBack(_ spans: [SpanRecord]) {
        state.withLock { state in
            let kept = spans.prefix(max(0, limit - state.waiting.count))
            state.waiting.insert(contentsOf: kept, at: 0)
            state.dropped += spans.count - kept.count
        }
    }

    /// Counts spans that were taken and could not be exported.
    package func drop(_ count: Int) { state.withLock { $0.dropped += count } }
}
