import EyotContract

/// A hub that passes each event to all listeners.
package final class EventHub<Event: Sendable>: Sendable {
    /// The most events that wait for one reader. Beyond that the oldest are dropped.
    private static var bufferLimit: Int { 256 }

    private struct Audience: Sendable {
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastListener = 0
        /// Events from before the first listener; nil once there has been one.
        var early: [Event]? = []
        var isOver = false
    }

    private let audience = AnnouncedValue(Audience())

    /// A hub without listeners.
    package init() {}

    /// Passes an event to all listeners.
    package func publish(_ event: Event) {
        audience.withLock { audience, announcements in
            audience.early = audience.early.map { ($0 + [event]).suffix(Self.bufferLimit) }
            for listener in audience.listeners.values { announcements.append { listener.yield(event) } }
        }
    }

    /// Adds a listener for later events. The first listener that asks for earlier events gets those too.
    package func listen(hearingEarlier: Bool) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        let id = audience.withLock { audience, announcements -> Int? in
            if hearingEarlier {
                for event in audience.early ?? [] { announcements.append { continuation.yield(event) } }
                audience.early = nil
            }
            guard !audience.isOver else {
                announcements.append { continuation.finish() }
                return nil
            }
            audience.lastListener += 1
            audience.listeners[audience.lastListener] = continuation
            return audience.lastListener
        }
        if let id { continuation.onTermination = { [weak self] _ in self?.leave(id) } }
        return stream
    }

    private func leave(_ id: Int) { audience.withLock { $0.listeners[id] = nil } }

    /// Ends all streams. No event follows.
    func finish() {
        audience.withLock { audience, announcements in
            audience.isOver = true
            for listener in audience.listeners.values { announcements.append { listener.finish() } }
            audience.listeners = [:]
        }
    }
}
