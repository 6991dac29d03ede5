import Foundation

/// The pause before the SDK registers again for another history (R17).
///
/// A database goes back seldom, so the first change costs no pause. During a failover a balancer may lead one phone to
/// two servers with different histories in turn. Then the pause doubles with each change, until a history has lasted.
struct HistoryPace: Sendable, Equatable {
    /// Seconds after which a history has lasted, and the next change is a first one again.
    static let calm = 3_600.0
    /// Seconds of pause before the second change in a row.
    static let shortest = 20.0
    /// The longest pause in seconds.
    static let longest = 3_600.0

    private var changes = 0
    private var last: Date?
    private var pause = 0.0

    /// Records that an answer has brought another history.
    mutating func change(at now: Date) {
        // A clock that was set back ends no row.
        if let last, now.timeIntervalSince(last) >= Self.calm + pause { changes = 0 }
        changes = min(changes + 1, 16)
        last = now
        pause = changes == 1 ? 0 : min(Self.longest, Self.shortest * Double(1 << (changes - 2)))
    }

    /// Returns the seconds that are left of the pause.
    func rest(at now: Date) -> Double {
        guard let last else { return 0 }
        return max(0, min(pause, pause - now.timeIntervalSince(last)))
    }
}
