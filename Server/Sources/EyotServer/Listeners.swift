import EyotHTTP
import Foundation
import HTTPConnections
import Logging
import ServiceLifecycle
import Synchronization

/// The base URLs at which a server accepts calls.
package struct ServerAddresses: Sendable, Equatable {
    package var http: String
    /// Nil if the control plane is on ``http``, too.
    package var control: String?
    package var ops: String?
    /// Nil if no address serves the panel.
    package var panel: String?
}

/// The servers of a configuration's listeners. They share one API, so its limits count the calls of all listeners.
struct Listeners {
    private(set) var servers: [ListenerService] = []
    private(set) var certificates: [ServerCertificate] = []

    /// - Parameter announce: Called once, when all servers listen.
    /// - Throws: ``SettingError`` for a certificate that cannot be used.
    init(
        _ configuration: ServerConfiguration, _ api: API, at now: Date, logger: Logger,
        announce: @escaping @Sendable (ServerAddresses) -> Void
    ) throws {
        let listeners = configuration.listeners
        let limits = configuration.connectionLimits.fitted(
            to: OpenFiles.raise, listeners: listeners.count, logger: logger)
        let ports = OpenedPorts(listeners)
        for (role, listener) in listeners.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var settings = HTTPServer.Settings(host: listener.host, port: listener.port)
            settings.limits = limits
            // Phones come to that listener alone. Backends, operators and probes have to reach the others.
            if role != .http { settings.limits.lag = nil }
            if let tls = listener.tls {
                let certificate = try Self.certificate(tls, ListenerSettings.Names(role))
                certificate.warnOfEnd(at: now, logger)
                settings.certificate = certificate
                certificates.append(certificate)
            } else if !listener.isLocal, configuration.proxies.ranges.isEmpty {
                logger.warning(
                    "A listener is reachable from other machines without TLS: give it a certificate or a trusted proxy",
                    metadata: ["listener": "\(role.rawValue)", "host": "\(listener.host)"])
            }
            let served = api.serving(
                Self.roles(on: role, of: Set(listeners.keys)), isEncrypted: listener.tls != nil)
            let server = HTTPServer(served, settings: settings, logger: logger) { port in
                if let addresses = ports.open(role, at: port) { announce(addresses) }
            }
            servers.append(ListenerService(server: server, names: ListenerSettings.Names(role), settings: listener))
        }
    }

    private static func certificate(
        _ files: ServerCertificate.Files, _ names: ListenerSettings.Names
    ) throws(SettingError) -> ServerCertificate {
        do {
            return try ServerCertificate(files)
        } catch {
            throw SettingError("\(names.certificate.variable) and \(names.key.variable): \(error)")
        }
    }

    /// The roles that a listener serves: its own, and on ``ListenerRole/http`` also each role without a listener. The
    /// panel moves to ``ListenerRole/ops`` instead.
    static func roles(on role: ListenerRole, of all: Set<ListenerRole>) -> Set<ListenerRole> {
        switch role {
        case .http: Set(ListenerRole.allCases).subtracting(all.subtracting([.http])).subtracting([.panel])
        case .ops: all.contains(.panel) ? [.ops] : [.ops, .panel]
        case .control, .panel: [role]
        }
    }
}

/// The service of one listener. An address that it cannot have is named by its setting.
struct ListenerService: Service {
    let server: HTTPServer
    let names: ListenerSettings.Names
    let settings: ListenerSettings

    /// - Throws: ``StartFault`` if the address cannot be listened on.
    func run() async throws {
        do {
            try await server.run()
        } catch {
            throw StartFault.binding(names, settings, error) ?? error
        }
    }
}

/// The ports of the listeners that are open already.
private final class OpenedPorts: Sendable {
    private let listeners: [ListenerRole: ListenerSettings]
    private let urls = Mutex<[ListenerRole: String]>([:])

    init(_ listeners: [ListenerRole: ListenerSettings]) { self.listeners = listeners }

    /// Notes an open listener.
    ///
    /// - Returns: The addresses of all listeners, if this is the last one; otherwise nil.
    func open(_ role: ListenerRole, at port: Int) -> ServerAddresses? {
        guard let listener = listeners[role] else { return nil }
        let host = listener.host.contains(":") ? "[\(listener.host)]" : listener.host
        let urls = urls.withLock { urls in
            urls[role] = "\(listener.tls == nil ? "http" : "https")://\(host):\(port)"
            return urls
        }
        guard urls.count == listeners.count, let http = urls[.http] else { return nil }
        return ServerAddresses(
            http: http, control: urls[.control], ops: urls[.ops], panel: urls[.panel] ?? urls[.ops])
    }
}
