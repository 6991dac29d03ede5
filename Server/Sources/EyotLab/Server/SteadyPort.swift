import Foundation
import Synchronization

/// Ports for servers that stop and listen again. A port that the system chooses may become that of an outgoing
/// connection in between, so these are below all that it chooses.
enum SteadyPort {
    private static let ports = 10_000..<32_000
    private static let attempts = 100
    /// Ports that this process has given. The server that got one may not listen yet.
    private static let given = Mutex<Set<Int>>([])

    /// A port at which no program listens now, another one at each call; 0 if none was found.
    static func free() -> Int {
        for _ in 0..<attempts {
            let port = Int.random(in: ports)
            if isFree(port), given.withLock({ $0.insert(port).inserted }) { return port }
        }
        return 0
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let socket = socket(AF_INET, kind, 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
