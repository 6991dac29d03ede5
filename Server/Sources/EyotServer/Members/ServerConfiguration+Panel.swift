import EyotCommands
import EyotHTTP
import EyotIdentity
import EyotPanel
import HTTPConnections
import NIOCore

extension ServerConfiguration {
    /// How members get into the panel.
    ///
    /// - Parameter client: What calls the OpenID provider.
    func panelAccess(to backend: Backend, calling client: OutboundProviderClient) -> PanelAccess {
        let members = Members(
            store: backend.store, clock: backend.clock, sealer: backend.sealer, policy: panel.policy,
            networkOf: { (try? SocketAddress(ipAddress: $0, port: 0))?.network },
            onRefusal: { [trail = backend.trail] in trail.noteRefusal($0) })
        let provider = panel.openID.map {
            OpenIDProvider($0, client: client, verifier: JWTVerifier(), clock: backend.clock)
        }
        return PanelAccess(members, openID: provider, proxyHeader: panel.proxyHeader, url: panel.url)
    }

    /// Whether a listener serves the panel.
    package var servesPanel: Bool { listeners[.panel] != nil || listeners[.ops] != nil }

    /// The base URL for links to the panel.
    package var panelURL: String {
        if let url = panel.url { return url }
        guard let listener = listeners[.panel] ?? listeners[.ops] else { return "" }
        let host = listener.host.contains(":") ? "[\(listener.host)]" : listener.host
        return "\(listener.tls == nil ? "http" : "https")://\(host):\(listener.port)"
    }
}
