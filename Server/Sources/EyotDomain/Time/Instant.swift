/// A moment on the wall clock, in microseconds since 1970. The domain never reads a clock: moments come in as
/// arguments.
package struct Instant: Sendable, Hashable, Comparable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package init(second: Int) { microseconds = Int64(second) * 1_000_000 }

    /// The UNIX second that contains this moment. Apple orders everything by seconds.
    package var second: Int {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Int(remainder < 0 ? quotient - 1 : quotient)
    }

    package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

    package static func + (instant: Instant, seconds: Double) -> Instant {
        Instant(microseconds: instant.microseconds + Int64(seconds * 1_000_000))
    }

    package static func - (instant: Instant, seconds: Double) -> Instant { instant + -seconds }

    /// The sooner of two moments, ignoring nil.
    package static func soonest(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// The later of two moments, ignoring nil.
    package static func latest(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }

    /// Seconds from `earlier` to this moment.
    package func seconds(since earlier: Instant) -> Double {
        Double(microseconds - earlier.microseconds) / 1_000_000
    }
}
