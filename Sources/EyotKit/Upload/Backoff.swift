/// The wait before the next try.
enum Backoff {
    /// Seconds before the second try.
    static let shortest = 1.0
    /// The longest wait in seconds, unless the server asks for a longer one.
    static let longest = 300.0
    /// The longest wait that a server can ask for, in seconds.
    static let longestAsked = 3_600.0

    /// Returns the wait in seconds. It doubles with every failure. Half of it is random, so that phones which failed
    /// together do not return together.
    ///
    /// - Parameter chance: from 0 up to 1.
    static func delay(failures: Int, chance: Double, asked: Double? = nil) -> Double {
        var full = shortest
        for _ in 1..<max(1, min(failures, 32)) where full < longest { full = min(full * 2, longest) }
        return max(full / 2 * (1 + chance), delay(asked: asked, chance: chance))
    }

    /// Returns the part that the server asked for and up to a tenth more; 0 for nothing.
    static func delay(asked: Double?, chance: Double) -> Double {
        guard let asked, asked > 0 else { return 0 }
        return min(asked, longestAsked) * (1 + chance / 10)
    }
}
