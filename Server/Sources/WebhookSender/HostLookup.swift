import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lookup of a host's addresses by the system's resolver.
///
/// It blocks, so it has threads of its own. A resolver that hangs holds up other lookups and nothing else.
enum HostLookup {
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        return pool
    }()

    struct Unknown: Error {}
    struct TimedOut: Error {}

    /// - Throws: ``Unknown``, or ``TimedOut`` after the deadline.
    static func addresses(of host: String, port: Int, until deadline: NIODeadline) async throws -> [SocketAddress] {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: [SocketAddress].self)
        // The first to complete the promise wins.
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(TimedOut()) }
        threads.submit { _ in promise.completeWith(Result { try addresses(of: host, port: port) }) }
        defer { timer.cancel() }
        return try await promise.futureResult.get()
    }

    /// Asks the resolver. Pointers are used because the C function has no other form.
    private static func addresses(of host: String, port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0 else { throw Unknown() }
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
        guard !found.isEmpty else { throw Unknown() }
        return found
    }
}
