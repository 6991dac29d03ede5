import EyotContract
import NIOCore

extension SocketAddress {
    /// What counts as one address: an IPv4 address, or the /64 of an IPv6 one, all of which is usually one customer's.
    /// Nil for this machine, because a proxy that runs here is the address of all callers.
    package var network: String? {
        guard let address = ipAddress else { return nil }
        guard case .v6(let six) = self else { return address.hasPrefix("127.") ? nil : address }
        return withUnsafeBytes(of: six.address.sin6_addr) { bytes in
            // A listener on `::` sees the callers of IPv4 as `::ffff:203.0.113.7`.
            if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
                return bytes[12] == 127 ? nil : bytes.suffix(4).map(String.init).joined(separator: ".")
            }
            return address == "::1" ? nil : HexBytes.text(of: bytes.prefix(8))
        }
    }
}
