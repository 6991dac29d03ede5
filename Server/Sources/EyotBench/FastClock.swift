import EyotDomain
import Foundation

/// A clock that runs faster than the machine's, so that an evening takes minutes.
struct FastClock: WallClock {
    /// The factor by which it is faster.
    let speed: Double
    private let start = Instant(second: Int(Date().timeIntervalSince1970))
    private let begin = ContinuousClock.now

    init(speed: Double) { self.speed = speed }

    var now: Instant { start + begin.duration(to: .now).seconds * speed }

    func nap(until moment: Instant, atMost seconds: Double) async throws {
        let end = min(moment, now + seconds)
        while case let rest = end.seconds(since: now), rest > 0 {
            try await Task.sleep(for: .seconds(rest / speed))
        }
    }
}
