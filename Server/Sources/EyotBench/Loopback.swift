import Foundation

/// Sockets to this machine.
enum Loopback {
    /// Returns a new TCP socket; negative if there is none.
    static func stream() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }
}
