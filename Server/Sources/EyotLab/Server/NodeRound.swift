import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The servers that answer the same calls, and the one that the next call goes to: what a load balancer decides.
///
/// All calls go to one server until it is closed or a connection to it fails. Then the next open one has its turn. A
/// call is made again there after a refused connection. So is a repeatable one that got no answer.
final class NodeRound: Sendable {
    private struct Contents: Sendable {
        var servers: [URL]
        var closed: Set<URL> = []
        var turn = 0

        /// Gives the turn to the next open server. It stays where it is if there is none.
        mutating func moveOn() {
            let next = servers.indices.map { (turn + 1 + $0) % servers.count }
                .first { !closed.contains(servers[$0]) }
            if let next { turn = next }
        }
    }

    private let contents: Mutex<Contents>

    init(_ servers: [URL] = []) { contents = Mutex(Contents(servers: servers)) }

    /// The server that the next call goes to; nil before the first one is opened.
    var server: URL? { contents.withLock { $0.servers.isEmpty ? nil : $0.servers[$0.turn] } }

    /// Adds a server, or has a closed one take calls again.
    func open(_ server: URL) {
        contents.withLock { contents in
            if !contents.servers.contains(server) { contents.servers.append(server) }
            contents.closed.remove(server)
            if contents.closed.contains(contents.servers[contents.turn]) { contents.moveOn() }
        }
    }

    /// Gives a server no more calls as long as another one is open.
    func close(_ server: URL) {
        contents.withLock { contents in
            guard contents.servers.contains(server) else { return }
            contents.closed.insert(server)
            if contents.servers[contents.turn] == server { contents.moveOn() }
        }
    }

    /// Makes a call to the server that has its turn, and to the next one if that fails. It tries each server once.
    ///
    /// - Parameter isRepeatable: whether a second call does no more than the first.
    /// - Throws: the error of the last server.
    func call<Answer>(isRepeatable: Bool, _ body: (URL) async throws -> Answer) async throws -> Answer {
        var left = contents.withLock { $0.servers.count }
        while true {
            guard let server else { throw URLError(.cannotConnectToHost) }
            left -= 1
            do {
                return try await body(server)
            } catch let error as URLError where error.code != .cancelled {
                leave(server)
                guard left > 0, isRepeatable || error.code == .cannotConnectToHost else { throw error }
            }
        }
    }

    /// Moves on from a server to which a connection failed, unless another call has already done so.
    private func leave(_ server: URL) {
        contents.withLock { contents in
            if contents.servers[contents.turn] == server { contents.moveOn() }
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
