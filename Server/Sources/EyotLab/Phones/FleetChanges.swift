import Synchronization

/// Tells everybody who waits that something may have changed on the phones.
///
/// A signal carries nothing, and one that nobody has heard yet swallows the next: who hears one looks at the phones again.
package final class FleetChanges: Sendable {
    private struct Listeners {
        var nextID = 0
        var signals = 0
        var all: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    /// How many signals there have been.
    var count: Int { listeners.withLock { $0.signals } }

    package init() {}

    /// Something may have changed.
    package func signal() {
        let all = listeners.withLock { listeners in
            listeners.signals += 1
            return Array(listeners.all.values)
        }
        for listener in all { listener.yield() }
    }

    /// Signals from now on.
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
