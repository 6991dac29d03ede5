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

    private let audience = Guarded(Audience())

    /// A hub without listeners.
    package init() {}

    /// Something happened.
    package func tell(_ event: Event) {
        let listeners = audience.withLock { audience in
            audience.early = audience.early.map { ($0 + [event]).suffix(Self.bufferLimit) }
            return Array(audience.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    /// A new listener, who hears what comes from now on. The first one who asks for it hears what came before, too.
    package func listen(hearingEarlier: Bool) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        audience.withLock { audience in
            if hearingEarlier {
                for event in audience.early ?? [] { continuation.yield(event) }
                audience.early = nil
            }
            guard !audience.isOver else { return continuation.finish() }
            audience.lastListener += 1
            let id = audience.lastListener
            audience.listeners[id] = continuation
            continuation.onTermination = { [weak self] _ in self?.leave(id) }
        }
        return stream
    }

    private func leave(_ id: Int) { audience.withLock { $0.listeners[id] = nil } }

    /// Nothing comes any more.
    func finish() {
        let listeners = audience.withLock { audience in
            audience.isOver = true
            defer { audience.listeners = [:] }
            return Array(audience.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
