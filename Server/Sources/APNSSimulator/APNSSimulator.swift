import APNSWire
import EyotContract
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A simulator of Apple's push service: HTTP/2 over TLS on loopback, with the checks and answers that are known of
/// Apple.
///
/// It checks raw headers and bytes, passes accepted pushes to a ``PushReceiver``, and keeps the last requests for
/// inspection. It misbehaves on demand (``faults``). Behaviour that Apple has not documented is marked as a guess or a
/// report where the code decides it. ``APNSRules`` has the switches.
public final class APNSSimulator: Sendable {
    /// The certificate authority that signed the simulator's certificate, in PEM. Made anew at each start.
    public let certificateAuthority: String
    private let core: SimulatorCore
    private let listener: SimulatorListener
    private let urls: [APNSEndpoint: String]

    private init(core: SimulatorCore, listener: SimulatorListener, urls: [APNSEndpoint: String], ca: String) {
        self.core = core
        self.listener = listener
        self.urls = urls
        certificateAuthority = ca
    }

    /// Creates certificates, opens the listeners, and answers requests until ``shutdown()``.
    ///
    /// - Throws: NIO's error if a port is not available.
    public static func start(
        _ configuration: APNSSimulatorConfiguration, receiver: any PushReceiver,
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws -> APNSSimulator {
        let certificates = try SimulatorCertificates()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.chain.map { .certificate($0) }, privateKey: .privateKey(certificates.key))
        tls.applicationProtocols = ["h2"]
        tls.minimumTLSVersion = .tlsv12
        let core = SimulatorCore(configuration: configuration, receiver: receiver)
        let listener = SimulatorListener(
            core: core, tls: try NIOSSLContext(configuration: tls), group: eventLoopGroup)
        var urls: [APNSEndpoint: String] = [:]
        do {
            for endpoint in APNSEndpoint.allCases {
                let port = try await listener.listen(at: endpoint)
                let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
                urls[endpoint] = "https://\(host):\(port)"
            }
        } catch {
            await listener.close()
            throw error
        }
        return APNSSimulator(core: core, listener: listener, urls: urls, ca: certificates.caPEM)
    }

    /// The base URL of an endpoint, without a slash at the end.
    public func url(of endpoint: APNSEndpoint) -> String { urls[endpoint] ?? "" }

    /// The base URL for pushes to sandbox tokens.
    public var sandboxURL: String { url(of: APNSEndpoint(.push, .sandbox)) }
    /// The base URL for pushes to production tokens.
    public var productionURL: String { url(of: APNSEndpoint(.push, .production)) }
    /// The base URL for broadcasts in the sandbox.
    public var broadcastURL: String { url(of: APNSEndpoint(.broadcast, .sandbox)) }
    /// The base URL for the management of channels in the sandbox.
    public var channelsURL: String { url(of: APNSEndpoint(.channels, .sandbox)) }

    /// Misfortunes for the next pushes to tokens.
    public var faults: FaultScript { faults(of: .push) }

    /// Misfortunes for the next requests of a service.
    public func faults(of service: APNSEndpoint.Service) -> FaultScript { core.faults(of: service) }

    /// The channels of an app in an environment, in the order in which they were made.
    public func channels(of bundleID: String, in environment: PushEnvironment) -> [APNSChannelID] {
        core.channels(of: bundleID, in: environment)
    }

    /// How many requests were complete since the start.
    public var requestCount: Int { core.log.total }

    /// The newest requests, oldest of them first: at most `limit`, and at most as many as the configuration keeps.
    public func requests(limit: Int = 100) -> [RequestRecord] { core.log.newest(limit) }

    /// Adds a team, or replaces the one with the same id. A connection that has already shown a token of an old key
    /// keeps trusting that token.
    public func register(_ team: APNSTeam) { core.register(team) }

    /// Writes the authority's certificate as a PEM file, for clients to trust.
    public func writeCertificateAuthority(to path: String) throws {
        try Data(certificateAuthority.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Closes listeners and connections. Requests in flight get no answer.
    public func shutdown() async { await listener.close() }
}
