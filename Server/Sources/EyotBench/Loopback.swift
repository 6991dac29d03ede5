import Foundation

/// Sockets to this machine. Bytes for a connection that has ended raise no signal.
enum Loopback {
    #if canImport(Glibc)
        /// The flags of `send`.
        static let sending = Int32(MSG_NOSIGNAL)
    #else
        /// The flags of `send`.
        static let sending: Int32 = 0
    #endif

    /// Returns a new TCP socket; negative if there is none.
    static func stream() -> Int32 {
        #if canImport(Glibc)
            return socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        #endif
    }
}
