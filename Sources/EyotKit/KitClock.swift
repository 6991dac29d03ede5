import Foundation

/// The time that the SDK goes by; tests bring their own.
package protocol KitClock: Sendable {
    /// The wall clock, for durations that outlive the app.
    func now() -> Date
    /// Waits; throws where the task is cancelled.
    func sleep(seconds: Double) async throws
}

extension KitClock {
    /// Waits.
    ///
    /// - Returns: whether the time has passed; false where the task was cancelled before.
    func hasPassed(seconds: Double) async -> Bool { (try? await sleep(seconds: seconds)) != nil }
}

/// The system's clock.
package struct SystemClock: KitClock {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1e9))
    }
}
