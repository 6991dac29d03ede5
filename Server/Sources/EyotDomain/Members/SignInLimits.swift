/// The limits of tries to sign in. Each failure of a name at a network makes the next try there wait longer.
///
/// Failures elsewhere do not keep a member out: only networks that never signed the member in have to wait for them.
package struct SignInLimits: Sendable {
    /// Tries of one network in a minute, whatever names they are for.
    package static let triesPerMinute = 30
    /// Failures of a name and a network before the next try has to wait.
    package static let freeFailures = 3
    /// The longest wait of a name at a network, in seconds.
    package static let longestWait = 900.0
    /// Failures of one name in an hour, from all networks, before networks that never signed it in have to wait.
    package static let failuresPerHour = 100
    /// Names and networks in memory. Beyond that an arbitrary one is forgotten.
    package static let remembered = 10_000

    /// A name that was tried, at a network.
    package struct Place: Sendable, Hashable {
        package var name: String
        /// `local` for this machine.
        package var network: String

        package init(name: String, network: String?) {
            self.name = name
            self.network = network ?? "local"
        }
    }

    private struct Failures {
        var count = 0
        var last: Instant
    }

    private var failures: [Place: Failures] = [:]
    private var good: Set<Place> = []
    private var networks = RateLimit<String>(SignInLimits.triesPerMinute, each: 60)
    private var names = RateLimit<String>(SignInLimits.failuresPerHour, each: 3_600)

    package init() {}

    /// Counts a try, if it may be made now.
    ///
    /// - Returns: the seconds to wait; nil if the try may be made.
    package mutating func begin(_ place: Place, at now: Instant) -> Double? {
        if let wait = networks.take(place.network, at: now)?.wait { return wait }
        if let failed = failures[place], failed.count > Self.freeFailures {
            let left = Self.wait(after: failed.count) - now.seconds(since: failed.last)
            if left > 0 { return left }
        }
        guard !good.contains(place) else { return nil }
        return names.look(place.name, at: now)?.wait
    }

    /// Counts a failed try.
    package mutating func fail(_ place: Place, at now: Instant) {
        _ = names.take(place.name, at: now)
        if failures[place] == nil, failures.count >= Self.remembered, let any = failures.keys.first {
            failures[any] = nil
        }
        failures[place, default: Failures(last: now)].count += 1
        failures[place]?.last = now
    }

    /// Notes that a try succeeded.
    package mutating func succeed(_ place: Place) {
        failures[place] = nil
        if good.count >= Self.remembered, let any = good.first { good.remove(any) }
        good.insert(place)
    }

    /// The seconds to wait after this many failures: 2, 4, 8 and so on.
    static func wait(after failures: Int) -> Double {
        var seconds = 1.0
        for _ in 0..<min(failures - freeFailures, 16) { seconds *= 2 }
        return min(seconds, longestWait)
    }
}
