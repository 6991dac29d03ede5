import Foundation

/// The service manager that supervises the process: systemd, or another one with its protocol (sd_notify(3)).
///
/// Messages are datagrams to the socket in `NOTIFY_SOCKET`. They are lost if the supervisor does not read them, and a
/// server does not depend on them.
package struct Supervisor: Sendable {
    package enum Message: Sendable, Equatable {
        /// The server accepts calls. Also sent after a reload.
        case ready
        case reloading
        case stopping
        /// The server works. Without this the supervisor ends it.
        case watchdog
    }

    /// The path of the socket. A path that begins with `@` is a name without a file.
    private let path: String
    /// The longest time between two ``Message/watchdog``, in seconds; nil if the supervisor waits for none.
    package let watchdogSeconds: Double?

    /// - Parameter environment: The process's environment.
    /// - Returns: Nil if no supervisor waits for messages.
    package init?(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        self.path = path
        // The variable may have been passed on by a process for which it was meant.
        let isForThis = environment["WATCHDOG_PID"].map { $0 == "\(ProcessInfo.processInfo.processIdentifier)" } ?? true
        watchdogSeconds = isForThis ? environment["WATCHDOG_USEC"].flatMap(Double.init).map { $0 / 1_000_000 } : nil
    }

    /// Sends a message.
    ///
    /// - Returns: Whether the socket took it.
    @discardableResult
    package func tell(_ message: Message) -> Bool {
        let file = socket(AF_UNIX, Self.datagram, 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let found = Self.address(of: path) else { return false }
        var address = found.address
        let text = Array(Self.text(of: message).utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(file, text, text.count, 0, $0, found.length)
            }
        }
        return sent == text.count
    }

    private static func text(of message: Message) -> String {
        switch message {
        case .ready: "READY=1\n"
        // Type=notify-reload takes a reload for one of this process only with this time.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)\n"
        case .stopping: "STOPPING=1\n"
        case .watchdog: "WATCHDOG=1\n"
        }
    }

    private static var monotonicMicroseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    /// Returns the address of a path and its length; nil if the path is too long.
    private static func address(of path: String) -> (address: sockaddr_un, length: socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // The system marks a name without a file by a NUL at its beginning, and such a name has none at its end.
        if path.hasPrefix("@") { bytes[0] = 0 } else { bytes.append(0) }
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        return (address, socklen_t(head + bytes.count))
    }

    #if canImport(Glibc)
        private static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
        private static let datagram = SOCK_DGRAM
    #endif
}
