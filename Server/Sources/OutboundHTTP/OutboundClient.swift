import AsyncHTTPClient
import NIOCore
import NIOSSL
import Synchronization

/// The client for all calls to servers of others: a sign-in provider, a collector of traces, receivers of webhooks.
///
/// The other side decides nothing about this process. A call has a time as a whole, from the first packet to the last
/// byte. Of an answer at most a number of bytes is read, and the connection is closed at the next one. Redirects are
/// not followed. Calls and connections have a limit, and a call that is cancelled ends at once.
package final class OutboundClient: Sendable {
    package struct Limits: Sendable {
        /// The time for a whole call, if the caller gives no earlier deadline.
        package var time: TimeAmount
        /// The most bytes of an answer's body. Nil if only the status counts.
        package var bodyBytes: Int?
        /// The most calls at a time. Further ones are refused.
        package var calls: Int
        /// The most connections to one host.
        package var connections: Int
        /// How long a connection without a call is kept. Most servers keep a quiet one for five seconds or longer.
        package var quietTime: TimeAmount

        package init(
            time: TimeAmount, bodyBytes: Int?, calls: Int, connections: Int = 8,
            quietTime: TimeAmount = .seconds(2)
        ) {
            (self.time, self.bodyBytes, self.calls) = (time, bodyBytes, calls)
            (self.connections, self.quietTime) = (connections, quietTime)
        }
    }

    /// How long the rest of an answer is read if its status alone counts, so that the connection can be used again.
    private static let restTime = TimeAmount.seconds(1)
    /// Bytes of such a rest.
    private static let restBytes = 16_384

    private let limits: Limits
    private let clients: HTTPClients
    private let running = Mutex(0)

    /// - Parameter certificates: The authorities to trust; nil for the system's.
    package init(_ limits: Limits, certificates: [NIOSSLCertificate]? = nil) {
        self.limits = limits
        clients = HTTPClients(Self.configuration(limits, certificates))
    }

    private static func configuration(
        _ limits: Limits, _ certificates: [NIOSSLCertificate]?
    ) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificates { tls.trustRoots = .certificates(certificates) }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: limits.time, read: limits.time))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.idleTimeout = limits.quietTime
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.connections
        // Otherwise a failed handshake is tried again until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// Makes one call.
    ///
    /// - Parameters:
    ///   - route: The address to connect to, and what has connections of its own. By default the host is looked up.
    ///   - deadline: When the call ends at the latest; nil for the client's time from now on.
    package func send(
        _ call: OutboundCall, by route: OutboundRoute = OutboundRoute(), until deadline: NIODeadline? = nil
    ) async throws(OutboundFailure) -> OutboundAnswer {
        let deadline = min(deadline ?? .distantFuture, .now() + limits.time)
        guard begin() else { throw .tooManyCalls }
        defer { running.withLock { $0 -= 1 } }
        do {
            let answer = try await clients.withClient(for: route) { client in
                try await Self.within(deadline) { try await self.send(call, with: client, until: deadline) }
            }
            guard let answer else { throw OutboundFailure.stopped }
            return answer
        } catch {
            throw Self.failure(error)
        }
    }

    /// Counts a call, if it may be made now.
    private func begin() -> Bool {
        running.withLock { running in
            guard running < limits.calls else { return false }
            running += 1
            return true
        }
    }

    /// Closes all connections without waiting for the other sides. Calls under way and later ones fail.
    package func close() async { await clients.close() }

    private func send(
        _ call: OutboundCall, with client: HTTPClient, until deadline: NIODeadline
    ) async throws -> OutboundAnswer {
        var request = HTTPClientRequest(url: call.url)
        request.method = .RAW(value: call.method.rawValue)
        request.headers.add(name: "user-agent", value: "Eyot")
        for (name, value) in call.headers { request.headers.add(name: name, value: value) }
        if !call.body.isEmpty { request.body = .bytes(call.body) }
        let response = try await client.execute(request, deadline: deadline)
        let status = Int(response.status.code)
        let headers = Dictionary(
            call.kept.compactMap { name in response.headers.first(name: name).map { (name, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard let limit = limits.bodyBytes else {
            await Self.drain(response.body)
            return OutboundAnswer(status: status, body: [], headers: headers)
        }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= limit else { throw OutboundFailure.answerTooLong }
            body += part.readableBytesView
        }
        return OutboundAnswer(status: status, body: body, headers: headers)
    }

    /// Reads the rest of an answer if it is short. What comes late, or beyond the limit, is dropped with the
    /// connection.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        // The status is known, and nothing else counts.
        _ = try? await within(.now() + restTime) {
            var read = 0
            for try await part in body {
                read += part.readableBytes
                if read > restBytes { return }
            }
        }
    }

    /// Runs `body` and cancels it at the deadline.
    private static func within<Result: Sendable>(
        _ deadline: NIODeadline, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(operation: body)
            group.addTask {
                let left = deadline - .now()
                if left > .zero { try await Task.sleep(for: .nanoseconds(left.nanoseconds)) }
                throw OutboundFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw OutboundFailure.stopped }
            return result
        }
    }

    private static func failure(_ error: any Error) -> OutboundFailure {
        switch error {
        case let error as OutboundFailure: error
        case is CancellationError: .stopped
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .tlsFailed
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        case let error as HTTPClientError where [.cancelled, .alreadyShutdown].contains(error): .stopped
        case let error as HTTPClientError where addresses.contains(error): .addressInvalid
        default: .connectionFailed
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]
    private static let addresses: [HTTPClientError] = [.invalidURL, .emptyHost, .emptyScheme, .missingSocketPath]
}
