/// How long to wait before the next try.
enum Backoff {
    /// Seconds before the second try.
    static let shortest = 1.0
    /// No wait is longer, in seconds, unless the server asks for it.
    static let longest = 300.0
    /// Longest wait that a server can ask for, in seconds.
    static let longestAsked = 3_600.0

    /// Doubles with every failure. Half of it is chance, so that phones which failed together do not come back together.
    ///
    /// `chance` is from 0 up to 1.
    static func delay(failures: Int, chance: Double, asked: Double? = nil) -> Double {
        var full = shortest
        for _ in 1..<max(1, min(failures, 32)) where full < longest { full = min(full * 2, longest) }
        return max(full / 2 * (1 + chance), delay(asked: asked, chance: chance))
    }

    /// What of it the server asked for, a little more; 0 for nothing.
    static func delay(asked: Double?, chance: Double) -> Double {
        guard let asked, asked > 0 else { return 0 }
        return min(asked, longestAsked) * (1 + chance / 10)
    }
}
