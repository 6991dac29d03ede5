import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system's resolver of names.
enum SystemResolver {
    /// Finds the addresses of a host, and blocks until then.
    ///
    /// - Throws: ``HostLookups/Unknown``.
    static func addresses(of host: String) throws -> [SocketAddress] {
        let found = addresses(of: host, flags: 0)
        guard !found.isEmpty else { throw HostLookups.Unknown() }
        return found
    }

    /// The address that a host is in itself, in any form that the system takes for one. It asks no name service.
    static func literal(_ host: String) -> SocketAddress? {
        addresses(of: host, flags: Int32(AI_NUMERICHOST)).first
    }

    /// Asks the system. Pointers are used because the C function has no other form.
    private static func addresses(of host: String, flags: Int32) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        // The list is valid until it is freed here. Each entry has an address of the size of its family.
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let entry = next?.pointee {
            let address = UnsafeRawPointer(entry.ai_addr)
            switch entry.ai_family {
            case AF_INET: found += address.map { [SocketAddress($0.loadUnaligned(as: sockaddr_in.self))] } ?? []
            case AF_INET6: found += address.map { [SocketAddress($0.loadUnaligned(as: sockaddr_in6.self))] } ?? []
            default: break
            }
            next = entry.ai_next
        }
        return found
    }
}
