import Foundation
import Synchronization

/// Ports for servers that stop and listen again. A port that the system chooses may become that of an outgoing
/// connection in between, so these are below all that it chooses.
package enum SteadyPort {
    private static let ports = 10_000..<32_000
    private static let attempts = 100
    /// Ports that this process has given. The server that got one may not listen yet.
    private static let given = Mutex<Set<Int>>([])

    /// Returns a port at which no program listens now, another one at each call.
    ///
    /// - Throws: ``LabError/server(_:)`` if none was found.
    package static func free() throws(LabError) -> Int {
        for _ in 0..<attempts {
            let port = Int.random(in: ports)
            if isFree(port), given.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw .server("no free port was found")
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Glibc)
            let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let handle = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(handle) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
