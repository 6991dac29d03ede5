import EyotContract
import NIOCore

extension SocketAddress {
    /// The part of the address that limits count: an IPv4 address, or the /64 of an IPv6 address, which usually belongs
    /// to one customer. Nil for this machine, because a proxy on it is the address of all callers.
    package var network: String? {
        guard let bytes = addressBytes else { return nil }
        if bytes.count == 4 { return bytes[0] == 127 ? nil : bytes.map(String.init).joined(separator: ".") }
        return ipAddress == "::1" ? nil : HexBytes.text(of: bytes.prefix(8))
    }
}
