import EyotDomain
import NIOCore

/// Where a call comes from, and who could read it on its way.
package struct CallOrigin: Sendable {
    /// The address that limits and records apply to; nil if it is not known.
    var address: SocketAddress?
    /// Whether the call came over TLS: to this server, or to a trusted proxy that says so.
    package var isEncrypted = false
    /// Whether a trusted proxy passed it on. Other headers of such a call may be the proxy's.
    package var isFromTrustedProxy = false

    /// The ids by which the call is found again; nil for one that has none.
    package var request: RequestID?

    package init() {}

    /// The address as text.
    package var ipAddress: String? { address?.ipAddress }

    /// The network that tries are counted for; nil for this machine.
    package var network: String? { address?.network }

    /// Whether it comes from this machine.
    package var isLocal: Bool { address.map { $0.network == nil } ?? false }
}
