import EyotContract
import EyotKit

/// A system that says what a test says.
final class ScriptedSignals: SystemSignalSource {
    private let listeners = Guarded<[AsyncStream<SystemSignal>.Continuation]>([])

    func signals() -> AsyncStream<SystemSignal> {
        let (signals, signal) = AsyncStream.makeStream(of: SystemSignal.self)
        listeners.withLock { $0.append(signal) }
        return signals
    }

    /// Says it to all launches of the test.
    func say(_ signal: SystemSignal) {
        for listener in listeners.withLock({ $0 }) { listener.yield(signal) }
    }
}
