import HTTPConnections
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle

/// The API on a socket, as a service. A graceful stop first answers the requests that are in progress.
package struct HTTPServer: Service {
    /// The address, the limits and the certificate of a listener.
    package struct Settings: Sendable {
        package var host: String
        /// 0 selects a free port.
        package var port: Int
        /// How many connections may wait to be accepted. The system refuses more.
        package var backlog = 1_024
        /// Bytes of a request's line and headers.
        package var headerBytes = 16 * 1_024
        /// Headers of a request.
        package var headerCount = 100
        /// Nil means no TLS.
        package var certificate: ServerCertificate?
        /// Limits for the number of connections and for their times.
        package var limits = ConnectionLimits()

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// A guard of the connections that holds these limits.
        package func guarding(
            for proxies: TrustedProxies = TrustedProxies(), countingIn refusals: Refusals = Refusals()
        ) -> ConnectionGuard {
            ConnectionGuard(limits, proxies: proxies, reservedPaths: HealthRoutes.paths, refusals: refusals) {
                $0.answer
            }
        }
    }

    private let application: Application<API>

    /// - Parameter onRunning: called with the port when the server listens.
    package init(
        _ api: API, settings: Settings, logger: Logger, onRunning: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) {
        application = Self.application(
            api, settings: settings, guardedBy: settings.guarding(for: api.proxies, countingIn: api.refusals),
            logger: logger, onRunning: onRunning)
    }

    /// Returns a responder on a socket. Benchmarks use it to run another server with the same settings.
    package static func application<Responder: HTTPResponder>(
        _ responder: Responder, settings: Settings, guardedBy connectionGuard: ConnectionGuard, logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) -> Void
    ) -> Application<Responder> where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        Application(
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

    /// Returns when each event loop has run a task, so that none of them hangs.
    ///
    /// - Throws: If a loop has stopped.
    package func waitForLoops() async throws {
        for loop in application.eventLoopGroup.makeIterator() { try await loop.submit {}.get() }
    }
}
