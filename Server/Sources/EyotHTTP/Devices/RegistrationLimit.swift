import EyotDomain
import NIOCore

/// How often one address may register installations of an app. Without it a caller with the public app key could fill
/// the database. Known installations do not count, see ``DevicePlane``.
struct RegistrationLimit: Sendable {
    private struct Source: Hashable, CustomStringConvertible {
        var app: AppID
        var network: String

        var description: String { "\(app.rawValue) \(network)" }
    }

    /// How many addresses and apps are tracked.
    static let sources = 10_000

    private let counts: CountedLimit<Source>

    var remembered: Int { counts.remembered }

    init(_ limits: CallLimits, among shared: SharedCounts? = nil) {
        counts = CountedLimit(.registrations, Self.limit(limits), among: shared)
    }

    private static func limit(_ limits: CallLimits) -> RateLimit<Source> {
        RateLimit(limits.registrationsPerMinute, each: 60, sources: sources)
    }

    func change(_ limits: CallLimits) { counts.change(Self.limit(limits)) }

    /// Counts one registration.
    ///
    /// - Parameter address: the caller's address. Nil and this machine are not limited, because behind a local proxy
    ///   all callers have this machine's address.
    /// - Returns: nil if it may proceed; otherwise after how many seconds it may.
    func take(_ app: AppID, from address: SocketAddress?, at now: Instant) async -> Double? {
        guard let network = address?.network else { return nil }
        return await counts.take(Source(app: app, network: network), at: now)?.wait
    }
}
