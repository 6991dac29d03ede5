import HTTPConnections
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle

/// The API on a socket. A service: it ends gracefully, with the requests in hand answered.
package struct HTTPServer: Service {
    /// Where it listens and what bounds it.
    package struct Settings: Sendable {
        package var host: String
        /// 0 takes a free one.
        package var port: Int
        /// Connections that wait to be taken; the system refuses more.
        package var backlog = 1_024
        /// Bytes of a request's line and headers.
        package var headerBytes = 16 * 1_024
        /// Headers of a request.
        package var headerCount = 100
        /// Nil is without TLS.
        package var certificate: ServerCertificate?
        /// Numbers and times of connections.
        package var limits = ConnectionLimits()

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    private let application: Application<API>

    /// - Parameter onRunning: told the port, once it listens.
    package init(
        _ api: API, settings: Settings, logger: Logger, onRunning: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        application = Self.application(
            api, settings: settings, proxies: api.proxies, refusals: api.refusals, logger: logger,
            onRunning: onRunning)
    }

    /// A responder on a socket: what a measurement compares ours with has the same settings.
    package static func application<Responder: HTTPResponder>(
        _ responder: Responder, settings: Settings, proxies: TrustedProxies = TrustedProxies(),
        refusals: Refusals = Refusals(), logger: Logger, onRunning: @escaping @Sendable (_ port: Int) -> Void
    ) -> Application<Responder> where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let connectionGuard = ConnectionGuard(
            settings.limits, proxies: proxies, reservedPaths: HealthRoutes.paths, refusals: refusals
        ) { $0.answer }
        return Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                PlainHTTPChannel(
                    HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            httpDecoderConfiguration: .init(
                                maxHeaderFieldSize: settings.headerBytes, maxHeaderListSize: settings.headerBytes,
                                maxHeaderFieldCount: settings.headerCount))),
                    guardedBy: connectionGuard, certificate: settings.certificate)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), backlog: settings.backlog),
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? settings.port) }, logger: logger)
    }

    package func run() async throws {
        try await application.run()
    }
}
