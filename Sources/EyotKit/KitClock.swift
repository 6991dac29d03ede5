import Foundation

/// The clock of the SDK. Tests have their own.
package protocol KitClock: Sendable {
    /// Returns the wall clock's time, for durations that outlive the process.
    func now() -> Date
    /// Waits. Throws if the task is cancelled.
    func sleep(seconds: Double) async throws
}

extension KitClock {
    /// Waits.
    ///
    /// - Returns: whether the time has passed; false if the task was cancelled before.
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
