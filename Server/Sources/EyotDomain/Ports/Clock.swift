/// The wall clock, and sleeping by it. Injected, so that tests and the lab can move it.
package protocol WallClock: Sendable {
    var now: Instant { get }

    /// Returns when the clock reads this moment or later, also when it was moved there; throws where the task is cancelled.
    func sleep(until moment: Instant) async throws
}
