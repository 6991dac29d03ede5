import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The servers that answer the same calls, and the one that the next call goes to: what a load balancer decides.
///
/// Calls go to the open servers in turn. A server to which a call failed has no turn for a while, unless all others
/// failed too. The call is made again at the next one if its connection was refused. So is a repeatable one that got no
/// answer.
final class NodeRound: Sendable {
    /// For how long a server that failed has no turn.
    private static let rest = Duration.seconds(10)

    private struct Contents: Sendable {
        var servers: [URL]
        var closed: Set<URL> = []
        /// Until when servers that failed have no turn.
        var resting: [URL: ContinuousClock.Instant] = [:]
        var turn = 0

        /// The servers that calls may go to. They are all of them if none is better than the others.
        func able(at now: ContinuousClock.Instant) -> [URL] {
            let open = servers.filter { !closed.contains($0) }
            let fit = open.filter { resting[$0].map { $0 <= now } ?? true }
            return [fit, open].first { !$0.isEmpty } ?? servers
        }

        mutating func next(at now: ContinuousClock.Instant) -> URL? {
            let able = able(at: now)
            guard !able.isEmpty else { return nil }
            turn = (turn + 1) % able.count
            return able[turn]
        }
    }

    private let contents: Mutex<Contents>

    init(_ servers: [URL] = []) { contents = Mutex(Contents(servers: servers)) }

    /// A server that takes calls; nil before the first one is opened.
    var server: URL? { contents.withLock { $0.able(at: .now).first } }

    /// Adds a server, or has a closed one take calls again.
    func open(_ server: URL) {
        contents.withLock { contents in
            if !contents.servers.contains(server) { contents.servers.append(server) }
            contents.closed.remove(server)
            contents.resting[server] = nil
        }
    }

    /// Gives a server no more calls as long as another one is open.
    func close(_ server: URL) { contents.withLock { _ = $0.closed.insert(server) } }

    /// Makes a call to the server that has its turn, and to the next one if that fails. It tries as often as there are
    /// servers.
    ///
    /// - Parameter isRepeatable: whether a second call does no more than the first.
    /// - Throws: the error of the last server.
    func call<Answer>(isRepeatable: Bool, _ body: (URL) async throws -> Answer) async throws -> Answer {
        var left = contents.withLock { $0.servers.count }
        while true {
            guard let server = contents.withLock({ $0.next(at: .now) }) else { throw URLError(.cannotConnectToHost) }
            left -= 1
            do {
                return try await body(server)
            } catch let error as URLError where error.code != .cancelled {
                contents.withLock { $0.resting[server] = .now + Self.rest }
                guard left > 0, isRepeatable || error.code == .cannotConnectToHost else { throw error }
            }
        }
    }
}

extension URL {
    /// The same path and query at another server.
    func moved(to server: URL) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (parts.scheme, parts.host, parts.port) = (server.scheme, server.host, server.port)
        return parts.url ?? self
    }
}
