import EyotContract

/// Hands each event to everybody who listens.
package final class EventHub<Event: Sendable>: Sendable {
    /// Events that wait for one reader; older ones give way.
    private static var bufferLimit: Int { 256 }

    private struct Audience: Sendable {
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastListener = 0
        /// What happened before anybody heard it; nil once somebody has.
        var early: [Event]? = []
        var isOver = false
    }

    private let audience = AnnouncedValue(Audience())

    /// A hub without listeners.
    package init() {}

    /// Something happened.
    package func tell(_ event: Event) {
        audience.withLock { audience, announcements in
            audience.early = audience.early.map { ($0 + [event]).suffix(Self.bufferLimit) }
            for listener in audience.listeners.values { announcements.append { listener.yield(event) } }
        }
    }

    /// A new listener, who hears what comes from now on. The first one who asks for it hears what came before, too.
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

    /// Nothing comes any more.
    func finish() {
        audience.withLock { audience, announcements in
            audience.isOver = true
            for listener in audience.listeners.values { announcements.append { listener.finish() } }
            audience.listeners = [:]
        }
    }
}
