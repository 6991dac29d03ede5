import EyotDomain
import Synchronization

/// Whether keys and apps are as this process remembers them, although other processes change them too.
///
/// A commit that changes a key or an app raises a number in the database. While calls come, it is read twice a second.
/// So what a process remembers is a second old at the most.
final class SharedAccess: Sendable {
    /// How old the number may be that this process relies on, and from which age on it is read again.
    private static let (longest, fresh) = (Duration.seconds(1), Duration.milliseconds(500))

    private struct State {
        var number: Int64?
        /// How often another number was read than the one before. The number itself may fall when a standby takes over.
        var changes = 0
        /// A moment before the last reading.
        var readAt: ContinuousClock.Instant?
        var isReading = false
    }

    private let state = Mutex(State())
    private let read: @Sendable () async throws -> Int64

    /// - Parameter read: Reads the number from the database.
    init(read: @escaping @Sendable () async throws -> Int64) { self.read = read }

    /// How often keys and apps were seen to change; nil if they may have changed unseen.
    var changes: Int? {
        let (changes, isDue) = state.withLock { state in
            let age = state.readAt.map { $0.duration(to: .now) } ?? .seconds(3_600)
            let isDue = age > Self.fresh && !state.isReading
            if isDue { state.isReading = true }
            return (age > Self.longest ? nil : state.changes, isDue)
        }
        // No call waits for it: until it is there, calls look in the store.
        if isDue { Task { await refresh() } }
        return changes
    }

    private func refresh() async {
        let began = ContinuousClock.now
        let number = try? await read()
        state.withLock { state in
            state.isReading = false
            guard let number else { return }
            if number != state.number { (state.number, state.changes) = (number, state.changes + 1) }
            state.readAt = began
        }
    }
}
