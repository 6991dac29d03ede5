import EyotContract
import NIOCore

extension SocketAddress {
    /// The address, or the /64 of an IPv6 one, all of which is usually one customer's; nil for this machine, since a proxy that
    /// runs here is the address of everybody.
    var network: String? {
        guard let text = ipAddress, text != "::1", !text.hasPrefix("127."), !text.hasPrefix("::ffff:127.")
        else { return nil }
        guard case .v6(let six) = self else { return text }
        return withUnsafeBytes(of: six.address.sin6_addr) { HexBytes.text(of: $0.prefix(8)) }
    }
}
