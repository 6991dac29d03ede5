import AsyncHTTPClient
import EyotDomain
import HTTPConnections
import NIOCore
import NIOSSL

/// The posts to receivers of webhooks.
///
/// Each post looks the host up once, vets all of its addresses, and connects to the first of them. Redirects are not
/// followed, and of an answer only the status counts.
package struct WebhookClient: WebhookPoster {
    /// Finds the addresses of a host.
    package typealias Lookup = @Sendable (_ host: String, _ port: Int, NIODeadline) async throws -> [SocketAddress]

    /// How long the rest of an answer is read, so that the connection can be used again.
    private static let bodyTime = Duration.seconds(1)
    /// Bytes of an answer that are read.
    private static let bodyBytes = 16_384

    package var policy: AddressPolicy
    private let limit: TimeAmount
    private let lookup: Lookup
    private let clients: HTTPClients

    /// - Parameters:
    ///   - limit: The time for a whole try.
    ///   - certificates: The authorities to trust; nil for the system's.
    ///   - lookup: Nil for the system's resolver.
    package init(
        _ policy: AddressPolicy, limit: TimeAmount = .seconds(Int64(WebhookAnswer.longest)),
        certificates: [NIOSSLCertificate]? = nil, lookup: Lookup? = nil
    ) {
        self.policy = policy
        self.limit = limit
        self.lookup = lookup ?? { try await HostLookup.addresses(of: $0, port: $1, until: $2) }
        clients = HTTPClients(Self.configuration(limit, certificates))
    }

    private static func configuration(
        _ limit: TimeAmount, _ certificates: [NIOSSLCertificate]?
    ) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificates { tls.trustRoots = .certificates(certificates) }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: limit, read: limit))
        configuration.httpVersion = .http1Only
        // Most servers keep a quiet connection for five seconds or longer.
        configuration.connectionPool.idleTimeout = .seconds(2)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = HTTPClients.connections
        // Otherwise a failed handshake is tried again until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    package func refusal(of url: WebhookURL) -> String? { policy.refusal(of: url) }

    package func post(_ message: WebhookMessage, to url: WebhookURL) async -> WebhookAnswer {
        let deadline = NIODeadline.now() + limit
        do {
            let addresses = try await lookup(url.host, url.port, deadline)
            guard addresses.allSatisfy({ policy.permits($0, isEncrypted: url.isEncrypted) }),
                let address = addresses.lazy.compactMap(\.ipAddress).first
            else { return .failed(.addressRefused) }
            let place = HTTPClients.Place(host: url.host, address: address)
            let status = try await clients.withClient(for: place) { client in
                let response = try await client.execute(request(message, to: url), deadline: deadline)
                await Self.drain(response.body)
                return Int(response.status.code)
            }
            return status.map(WebhookAnswer.status) ?? .failed(.connectionFailed)
        } catch {
            return .failed(Self.failure(error))
        }
    }

    /// Closes all connections. Later posts fail.
    package func close() async { await clients.close() }

    private func request(_ message: WebhookMessage, to url: WebhookURL) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "user-agent", value: "Eyot")
        for (name, value) in message.headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(message.body)
        return request
    }

    /// Reads the rest of an answer if it is short. What comes late, or beyond the limit, is dropped with the
    /// connection.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var read = 0
                do {
                    for try await part in body {
                        read += part.readableBytes
                        if read > bodyBytes { return }
                    }
                } catch {
                    // The status is known, and nothing else counts.
                }
            }
            group.addTask { try? await Task.sleep(for: bodyTime) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func failure(_ error: any Error) -> WebhookAnswer.Failure {
        switch error {
        case is HostLookup.Unknown: .hostUnknown
        case is HostLookup.TimedOut: .timedOut
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .tlsFailed
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .connectionFailed
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]
}
