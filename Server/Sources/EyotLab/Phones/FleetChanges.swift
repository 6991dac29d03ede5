import Synchronization

/// The signal that phones may have changed, for all listeners.
///
/// A signal has no content, and unread signals merge into one. So a listener must look at the phones again.
package final class FleetChanges: Sendable {
    private struct Listeners {
        var nextID = 0
        var signals = 0
        var all: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    /// How many signals were sent.
    var count: Int { listeners.withLock { $0.signals } }

    package init() {}

    /// Signals that phones may have changed.
    package func signal() {
        let all = listeners.withLock { listeners in
            listeners.signals += 1
            return Array(listeners.all.values)
        }
        for listener in all { listener.yield() }
    }

    /// Returns a stream of signals from now on.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = listeners.withLock { listeners in
            listeners.nextID += 1
            listeners.all[listeners.nextID] = continuation
            return listeners.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.all.removeValue(forKey: id) }
        }
        return stream
    }
}
