import EyotContract

/// Hands each event to everybody who listens.
final class EventHub: Sendable {
    /// Events that wait for one reader; older ones give way.
    static let bufferLimit = 256

    private struct Audience: Sendable {
        var listeners: [Int: AsyncStream<EyotEvent>.Continuation] = [:]
        var lastListener = 0
        /// What happened before anybody listened.
        var early: [EyotEvent] = []
        var isOver = false
    }

    private let audience = Guarded(Audience())
    /// Writes problems to the app's log.
    private let log: @Sendable (String) -> Void

    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    func tell(_ event: EyotEvent) {
        if case .problem(let problem) = event { log("Eyot: \(problem)") }
        let listeners = audience.withLock { audience in
            if audience.lastListener == 0 { audience.early = (audience.early + [event]).suffix(Self.bufferLimit) }
            return Array(audience.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    /// A new listener, who hears what comes from now on. The first one hears what came before, too.
    func listen() -> AsyncStream<EyotEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EyotEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        audience.withLock { audience in
            for event in audience.early { continuation.yield(event) }
            audience.early = []
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
