import NIOCore

/// Addresses with the same beginning: `203.0.113.7`, `10.0.0.0/8`, `fd00::/8`.
package struct AddressRange: Sendable, Hashable {
    private var bytes: [UInt8]
    private var bits: Int

    /// - Parameter text: An address, or an address with the number of its leading bits that count. Nil for any other
    ///   text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        (self.bytes, bits) = (bytes, bytes.count * 8)
        guard parts.count == 2 else { return }
        guard let given = Int(parts[1]), String(given) == parts[1], (0...bits).contains(given) else { return nil }
        bits = given
    }

    private static func bytes(of text: String) -> [UInt8]? {
        try? SocketAddress(ipAddress: text, port: 0).addressBytes
    }

    package func contains(_ address: SocketAddress) -> Bool {
        guard let other = address.addressBytes, other.count == bytes.count else { return false }
        let whole = bits / 8
        guard other.prefix(whole) == bytes.prefix(whole) else { return false }
        let rest = bits % 8
        return rest == 0 || (other[whole] ^ bytes[whole]) >> (8 - UInt8(rest)) == 0
    }
}

extension SocketAddress {
    /// The 4 bytes of an IPv4 address, or the 16 of an IPv6 address; nil for a Unix domain socket.
    ///
    /// A listener on `::` sees callers with IPv4 as `::ffff:203.0.113.7`. These have 4 bytes, too.
    package var addressBytes: [UInt8]? {
        switch self {
        case .v4(let four):
            return withUnsafeBytes(of: four.address.sin_addr) { Array($0) }
        case .v6(let six):
            let bytes = withUnsafeBytes(of: six.address.sin6_addr) { Array($0) }
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
            return isMapped ? Array(bytes.suffix(4)) : bytes
        case .unixDomainSocket:
            return nil
        }
    }
}
