import Foundation

/// Calls an HTTP server on the loopback, each connection one call after the other, and costs little itself.
struct HTTPLoad: Sendable {
    let port: Int
    /// Connections, and calls that wait for their answer at a time.
    let connections: Int

    /// Makes calls and answers how many were answered with a status below 300.
    ///
    /// - Parameter call: the bytes of a call, by its number.
    func run(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for lane in 0..<connections {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // Blocks while it waits, so it has a thread of its own.
                        Thread.detachNewThread {
                            continuation.resume(returning: Self.lane(lane, of: connections, calls, port, call))
                        }
                    }
                }
            }
            return await group.reduce(0, +)
        }
    }

    private static func lane(
        _ lane: Int, of lanes: Int, _ calls: Int, _ port: Int, _ call: (Int) -> [UInt8]
    ) -> Int {
        guard let connection = HTTPConnection(port: port) else { return 0 }
        return stride(from: lane, to: calls, by: lanes).count { number in
            (connection.status(of: call(number)) ?? 500) < 300
        }
    }
}

/// One connection that is kept.
private final class HTTPConnection {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard descriptor >= 0, isConnected else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends a call and reads its answer; nil where the connection broke. Answers are shorter than the buffer.
    func status(of call: [UInt8]) -> Int? {
        guard call.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) == call.count else { return nil }
        var count = 0
        while count < buffer.count {
            let room = buffer.count - count
            let read = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { recv(descriptor, $0 + count, room, 0) } ?? 0
            }
            guard read > 0 else { return nil }
            count += read
            if let status = Self.status(of: buffer[..<count]) { return status }
        }
        return nil
    }

    /// The status of an answer that is whole.
    private static func status(of answer: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        guard let field = head.range(of: "content-length: "),
            let length = Int(head[field.upperBound...].prefix { $0.isNumber }),
            text[end.upperBound...].utf8.count >= length
        else { return nil }
        return Int(head.dropFirst("http/1.1 ".count).prefix(3))
    }
}
