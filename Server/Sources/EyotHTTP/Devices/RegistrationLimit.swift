import EyotContract
import EyotDomain
import NIOCore
import Synchronization

/// How often one address may register installations of an app: whoever has the public app key could fill the database,
/// else. A bucket for each address, which a minute fills.
struct RegistrationLimit: Sendable {
    private struct Source: Hashable {
        var app: AppID
        var network: String
    }

    private struct Bucket {
        var level: Double
        var filledAt: Instant
    }

    /// Buckets kept. Beyond them a full one makes room, or any where none is: the limit is looser then, never the memory.
    static let sources = 10_000

    private let perMinute: Double
    private var buckets: [Source: Bucket] = [:]

    var remembered: Int { buckets.count }

    /// - Parameter perMinute: for one address and app; 0 is without limit.
    init(perMinute: Int) { self.perMinute = Double(perMinute) }

    /// Counts one registration.
    ///
    /// - Parameter address: whence it comes. Nil, and this machine itself, is not limited: a proxy that runs here is the
    ///   address of everybody.
    /// - Returns: nil where it may go on, else after how many seconds it may.
    mutating func take(_ app: AppID, from address: SocketAddress?, at now: Instant) -> Double? {
        guard perMinute > 0, let network = address.flatMap(Self.network) else { return nil }
        let source = Source(app: app, network: network)
        var bucket = buckets[source] ?? Bucket(level: perMinute, filledAt: now)
        fill(&bucket, at: now)
        let wait = bucket.level >= 1 ? nil : (1 - bucket.level) * 60 / perMinute
        if wait == nil { bucket.level -= 1 }
        if buckets[source] == nil, buckets.count >= Self.sources { makeRoom(at: now) }
        buckets[source] = bucket
        return wait
    }

    private func fill(_ bucket: inout Bucket, at now: Instant) {
        let passed = max(0, now.seconds(since: bucket.filledAt))
        bucket.level = min(perMinute, bucket.level + passed * perMinute / 60)
        bucket.filledAt = now
    }

    private mutating func makeRoom(at now: Instant) {
        buckets = buckets.filter { entry in
            var bucket = entry.value
            fill(&bucket, at: now)
            return bucket.level < perMinute
        }
        if buckets.count >= Self.sources, let any = buckets.keys.first { buckets[any] = nil }
    }

    /// The address, or the /64 of an IPv6 one, all of which is usually one customer's; nil for this machine.
    private static func network(_ address: SocketAddress) -> String? {
        guard let text = address.ipAddress, text != "::1", !text.hasPrefix("127."), !text.hasPrefix("::ffff:127.")
        else { return nil }
        guard case .v6(let six) = address else { return text }
        return withUnsafeBytes(of: six.address.sin6_addr) { HexBytes.text(of: $0.prefix(8)) }
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
