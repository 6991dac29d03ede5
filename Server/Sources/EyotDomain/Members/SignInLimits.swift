/// The limits of tries to sign in. Each failure of a name at a network makes the next try there wait longer.
///
/// Failures elsewhere do not keep a member out: only networks that never signed the member in have to wait for them,
/// and only with a password. A link, a provider or a proxy cannot be guessed by a name.
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

    /// Whether a try may be made.
    package enum Answer: Sendable, Hashable {
        case go
        /// Seconds until it may.
        case wait(Double)
        /// Seconds until it may, unless the network has signed the member in before.
        case waitIfStrange(Double)
    }

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
    private var starts = RateLimit<String>(SignInLimits.triesPerMinute, each: 60)

    package init() {}

    /// Counts a call for the way to a provider, if it may be made now.
    ///
    /// - Parameter network: Nil for this machine.
    /// - Returns: the seconds to wait; nil if the call may be made.
    package mutating func start(from network: String?, at now: Instant) -> Double? {
        starts.take(Place(name: "", network: network).network, at: now)?.wait
    }

    /// Counts a try of a network before anything is known of the name, if it may be made now.
    ///
    /// - Parameter network: Nil for this machine.
    /// - Returns: the seconds to wait; nil if the try may be made.
    package mutating func admit(_ network: String?, at now: Instant) -> Double? {
        networks.take(Place(name: "", network: network).network, at: now)?.wait
    }

    /// Whether a guess at a name's password or code may be made now.
    package func look(_ place: Place, at now: Instant) -> Answer {
        if let failed = failures[place], failed.count > Self.freeFailures {
            let left = Self.wait(after: failed.count) - now.seconds(since: failed.last)
            if left > 0 { return .wait(left) }
        }
        guard !good.contains(place), let wait = names.look(place.name, at: now)?.wait else { return .go }
        return .waitIfStrange(wait)
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
