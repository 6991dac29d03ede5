import Foundation
import Synchronization

/// Pages of the panel that stay open, each with a connection that receives its changes. One thread reads all of them.
final class OpenPages: Sendable {
    private let connections: [Int32]
    private let received = Mutex((bytes: 0, isOver: false))

    /// Opens the pages.
    ///
    /// - Returns: nil if a connection was refused.
    init?(_ count: Int, port: Int, call: [UInt8]) {
        connections = (0..<count).compactMap { _ in HTTPConnection.connected(to: port) }
        guard connections.count == count else {
            for connection in connections { close(connection) }
            return nil
        }
        for connection in connections {
            _ = call.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
        }
        Thread.detachNewThread { [self] in readAll() }
    }

    /// The bytes that all pages have received.
    var bytes: Int { received.withLock { $0.bytes } }

    /// Closes all pages.
    func leave() { received.withLock { $0.isOver = true } }

    private func readAll() {
        var waits = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !received.withLock({ $0.isOver }) {
            guard poll(&waits, nfds_t(waits.count), 100) > 0 else { continue }
            for wait in waits where wait.revents != 0 {
                let count = recv(wait.fd, &buffer, buffer.count, 0)
                received.withLock { $0.bytes += max(0, count) }
            }
        }
        for connection in connections { close(connection) }
    }
}
