import Foundation

/// The service manager's side of sd_notify(3): a datagram socket, as systemd has one.
package final class SupervisorSocket {
    /// An error of the system.
    package struct Fault: Error { package var number: Int32 }

    /// The value of `NOTIFY_SOCKET`.
    package let address: String
    private let file: Int32
    private let path: String?

    /// - Parameter isAbstract: Whether its name has no file.
    package init(isAbstract: Bool) throws {
        let name = isAbstract ? "@eyot-\(UUID().uuidString)" : "/tmp/\(UUID().uuidString)"
        (address, path) = (name, isAbstract ? nil : name)
        #if canImport(Glibc)
            file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            file = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: bytes) }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: target.sun_path)
        let length = socklen_t(head + bytes.count)
        let bound = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) }
        }
        guard bound == 0 else { throw Fault(number: errno) }
    }

    deinit {
        close(file)
        if let path { unlink(path) }
    }

    /// The next message; nil if there is none.
    package func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(bytes: bytes[..<count], encoding: .utf8)
    }
}
