/// The addresses on the public Internet, which webhooks may be sent to.
///
/// All others are left out by the registries of special addresses (RFC 6890 and IANA's lists): private networks, this
/// machine, links, carriers' own networks, groups, examples, and the services of clouds that hand out credentials, such
/// as 169.254.169.254 and fd00:ec2::254.
package enum PublicAddress {
    /// - Parameter bytes: The 4 bytes of an IPv4 address, or the 16 of an IPv6 address.
    package static func contains(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: !specialV4.contains { $0.contains(bytes) }
        case 16: containsV6(bytes)
        default: false
        }
    }

    private static func containsV6(_ bytes: [UInt8]) -> Bool {
        // NAT64 translates into the IPv4 address in the last bytes. ::ffff:0:0/96 is an IPv4 address as well.
        if translating.contains(where: { $0.contains(bytes) }) { return contains(Array(bytes.suffix(4))) }
        return global.contains(bytes) && !specialV6.contains { $0.contains(bytes) }
    }

    private static let specialV4: [Block] = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 3),
    ]
    /// Global unicast: 2000::/3.
    private static let global = Block([0x20], 3)
    /// Addresses of Teredo, in 2001::/23, and of 6to4, 2002::/16, hide IPv4 addresses.
    private static let specialV6: [Block] = [
        Block([0x20, 0x01, 0, 0], 23), Block([0x20, 0x01, 0x0d, 0xb8], 32), Block([0x20, 0x02], 16),
        Block([0x3f, 0xff, 0], 20),
    ]
    private static let translating: [Block] = [
        Block([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96),
        Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96),
    ]

    /// Addresses with the same beginning.
    private struct Block {
        private var bytes: [UInt8]
        private var bits: Int

        init(_ bytes: [UInt8], _ bits: Int) { (self.bytes, self.bits) = (bytes, bits) }

        func contains(_ address: [UInt8]) -> Bool {
            let whole = bits / 8
            guard address.prefix(whole) == bytes.prefix(whole) else { return false }
            let rest = bits % 8
            return rest == 0 || (address[whole] ^ bytes[whole]) >> (8 - UInt8(rest)) == 0
        }
    }
}
