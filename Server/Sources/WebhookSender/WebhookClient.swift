import EyotDomain
import HTTPConnections
import NIOCore
import NIOSSL
import OutboundHTTP
import Synchronization

/// The posts to receivers of webhooks.
///
/// Each post looks the host up once, vets all of its addresses, and connects to the first of them. Redirects are not
/// followed, and of an answer only the status counts. Look-ups, posts and connections have a share for each app.
package struct WebhookClient: WebhookPoster {
    /// The most posts at a time, and those of one app.
    private static let (posts, postsOfApp) = (2_048, 96)

    package var policy: AddressPolicy
    private let limit: TimeAmount
    private let lookups: HostLookups
    private let client: OutboundClient
    private let running = RunningPosts(limit: WebhookClient.postsOfApp)

    /// - Parameters:
    ///   - limit: The time for a whole try.
    ///   - certificates: The authorities to trust; nil for the system's.
    ///   - resolve: Finds the addresses of a host, and blocks until then. Nil for the system's resolver.
    package init(
        _ policy: AddressPolicy, limit: TimeAmount = .seconds(Int64(WebhookAnswer.longest)),
        certificates: [NIOSSLCertificate]? = nil, resolve: (@Sendable (_ host: String) throws -> [SocketAddress])? = nil
    ) {
        self.policy = policy
        self.limit = limit
        lookups = HostLookups(resolve)
        client = OutboundClient(.init(time: limit, bodyBytes: nil, calls: Self.posts), certificates: certificates)
    }

    package func refusal(of url: WebhookURL) -> String? { policy.refusal(of: url) }

    package func post(_ message: WebhookMessage, to url: WebhookURL, of app: AppID) async -> WebhookAnswer {
        let deadline = NIODeadline.now() + limit
        guard running.begin(app) else { return .failed(.timedOut) }
        defer { running.end(app) }
        do {
            let addresses = try await lookups.addresses(of: url.host, port: url.port, for: app, until: deadline)
            guard addresses.allSatisfy({ policy.permits($0, isEncrypted: url.isEncrypted) }),
                let address = addresses.lazy.compactMap(\.ipAddress).first
            else { return .failed(.addressRefused) }
            let pin = OutboundRoute.Pin(host: url.host, address: address)
            let call = OutboundCall(
                .post, url.text, headers: [("content-type", "application/json")] + message.headers,
                body: message.body)
            let route = OutboundRoute(pin, of: app.rawValue)
            return .status(try await client.send(call, by: route, until: deadline).status)
        } catch {
            return .failed(Self.failure(error))
        }
    }

    /// Closes all connections. Later posts fail.
    package func close() async { await client.close() }

    private static func failure(_ error: any Error) -> WebhookAnswer.Failure {
        switch error {
        case is HostLookups.Unknown: .hostUnknown
        case is HostLookups.TimedOut, OutboundFailure.timedOut, OutboundFailure.tooManyCalls: .timedOut
        case OutboundFailure.tlsFailed: .tlsFailed
        default: .connectionFailed
        }
    }
}

/// How many posts of each app are under way.
private final class RunningPosts: Sendable {
    private let limit: Int
    private let counts = Mutex<[AppID: Int]>([:])

    init(limit: Int) { self.limit = limit }

    func begin(_ app: AppID) -> Bool {
        counts.withLock { counts in
            guard counts[app, default: 0] < limit else { return false }
            counts[app, default: 0] += 1
            return true
        }
    }

    func end(_ app: AppID) {
        counts.withLock { counts in
            let left = counts[app, default: 1] - 1
            counts[app] = left > 0 ? left : nil
        }
    }
}
