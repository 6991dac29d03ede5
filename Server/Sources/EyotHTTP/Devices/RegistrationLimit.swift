import EyotDomain
import NIOCore
import Synchronization

/// How often one address may register installations of an app. Without it a caller with the public app key could fill
/// the database. Known installations do not count, see ``DevicePlane``.
struct RegistrationLimit: Sendable {
    private struct Source: Hashable {
        var app: AppID
        var network: String
    }

    /// How many addresses and apps are tracked.
    static let sources = 10_000

    private var limit: RateLimit<Source>

    var remembered: Int { limit.remembered }

    /// - Parameter perMinute: for one address and app; 0 means no limit.
    init(perMinute: Int) { limit = RateLimit(perMinute, each: 60, sources: Self.sources) }

    /// Counts one registration.
    ///
    /// - Parameter address: the caller's address. Nil and this machine are not limited, because behind a local proxy
    ///   all callers have this machine's address.
    /// - Returns: nil if it may proceed; otherwise after how many seconds it may.
    mutating func take(_ app: AppID, from address: SocketAddress?, at now: Instant) -> Double? {
        guard let network = address?.network else { return nil }
        return limit.take(Source(app: app, network: network), at: now)?.wait
    }
}

/// The limit, shared by routes.
final class SharedRegistrationLimit: Sendable {
    private let limit: Mutex<RegistrationLimit>

    init(perMinute: Int) { limit = Mutex(RegistrationLimit(perMinute: perMinute)) }

    func take(_ app: AppID, from address: SocketAddress?, at now: Instant) -> Double? {
        limit.withLock { $0.take(app, from: address, at: now) }
    }
}
