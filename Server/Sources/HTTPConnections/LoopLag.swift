import NIOCore
import Synchronization

/// How late a listener's event loops are with what is due.
///
/// A loop with more work than time falls behind, and each of its connections waits as long. Each loop has a beat, which
/// begins with the first question about it and ends with this value.
final class LoopLag: Sendable {
    private struct Beat {
        var due: NIODeadline
        /// How late the last beat was.
        var last = TimeAmount.zero
    }

    private static let interval = TimeAmount.milliseconds(50)
    private let beats = Mutex<[ObjectIdentifier: Beat]>([:])
    private let now: @Sendable () -> NIODeadline

    init(now: @escaping @Sendable () -> NIODeadline = { .now() }) { self.now = now }

    /// How late the loop was with its last beat, or is with the next one.
    ///
    /// - Parameter loop: the loop that the caller runs on.
    func callAsFunction(on loop: any EventLoop) -> TimeAmount {
        let now = now()
        let known = beats.withLock { $0[ObjectIdentifier(loop)] }
        guard let known else {
            schedule(on: loop, after: .zero)
            return .zero
        }
        return max(known.last, now - known.due)
    }

    private func schedule(on loop: any EventLoop, after last: TimeAmount) {
        beats.withLock { $0[ObjectIdentifier(loop)] = Beat(due: now() + Self.interval, last: last) }
        loop.scheduleTask(in: Self.interval) { [weak self] in self?.beat(on: loop) }
    }

    private func beat(on loop: any EventLoop) {
        guard let due = beats.withLock({ $0[ObjectIdentifier(loop)]?.due }) else { return }
        schedule(on: loop, after: max(.zero, now() - due))
    }
}
