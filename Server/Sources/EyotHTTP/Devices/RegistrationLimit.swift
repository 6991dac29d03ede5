import EyotDomain
import NIOCore
import Synchronization

/// How often one address may register installations of an app: whoever has the public app key could fill the database,
/// else. Installations that are known do not count, see ``DevicePlane``.
struct RegistrationLimit: Sendable {
    private struct Source: Hashable {
        var app: AppID
        var network: String
    }

    /// Buckets kept.
    static let sources = 10_000

    private var limit: RateLimit<Source>

    var remembered: Int { limit.remembered }

    /// - Parameter perMinute: for one address and app; 0 is without limit.
    init(perMinute: Int) { limit = RateLimit(perMinute, each: 60, sources: Self.sources) }

    /// Counts one registration.
    ///
    /// - Parameter address: whence it comes. Nil, and this machine itself, is not limited: a proxy that runs here is the
    ///   address of everybody.
    /// - Returns: nil where it may go on, else after how many seconds it may.
    mutating func take(_ app: AppID, from address: SocketAddress?, at now: Instant) -> Double? {
        guard let network = address?.network else { return nil }
        return limit.take(Source(app: app, network: network), at: now)?.wait
    }
}

/// The limit as routes share it.
final class RegistrationGate: Sendable {
    private let limit: Mutex<RegistrationLimit>

    init(perMinute: Int) { limit = Mutex(RegistrationLimit(perMinute: perMinute)) }

    func take(_ app: AppID, from address: SocketAddress?, at now: Instant) -> Double? {
        limit.withLock { $0.take(app, from: address, at: now) }
    }
}
