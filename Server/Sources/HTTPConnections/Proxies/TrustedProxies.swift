import NIOCore

/// The proxies that may name the caller of the connections or requests that they pass on.
package struct TrustedProxies: Sendable {
    /// Where a proxy names the caller.
    package enum Header: String, Sendable, CaseIterable {
        /// A list of addresses. Each proxy appends the address that called it.
        case forwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
        /// The PROXY protocol, version 2: bytes before all others of a connection.
        case proxyV2 = "proxy-v2"
    }

    package var ranges: [AddressRange]
    package var header: Header

    /// Trusts no proxy by default.
    package init(_ ranges: [AddressRange] = [], header: Header = .forwardedFor) {
        self.ranges = ranges
        self.header = header
    }

    package func trusts(_ peer: SocketAddress?) -> Bool {
        guard let peer, !ranges.isEmpty else { return false }
        return ranges.contains { $0.contains(peer) }
    }

    /// The address of a request's caller: the last address in the header that is not a trusted proxy's.
    ///
    /// The header is read from its end, where proxies append. The part before the caller's address comes from the
    /// caller itself. It is not read, so it cannot spoil the rest.
    ///
    /// - Parameter values: The values of a header, in their order.
    /// - Returns: The peer's address if the peer is not trusted, or its header names no caller.
    package func caller(from peer: SocketAddress?, _ values: (_ header: String) -> [String]) -> SocketAddress? {
        guard header != .proxyV2, trusts(peer) else { return peer }
        for value in values(header.rawValue).reversed() {
            var rest = value[...]
            while let element = ForwardedElement.last(of: &rest) {
                guard let address = header == .forwarded ? element.node : element.address else { return peer }
                if !trusts(address) { return address }
            }
        }
        return peer
    }
}
