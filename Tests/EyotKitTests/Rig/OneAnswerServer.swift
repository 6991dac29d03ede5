import Foundation

/// A loopback HTTP server on a free port that answers one request with given bytes, and keeps what it was sent.
final class OneAnswerServer: Sendable {
    let port: UInt16
    private let received: AsyncStream<String>

    init?(answer: String) {
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard listener >= 0, let port = Self.bindToLoopback(listener), listen(listener, 1) == 0 else { return nil }
        self.port = port
        let (received, whole) = AsyncStream<String>.makeStream()
        self.received = received
        // A queue of its own: these calls block, and the tests' threads are few.
        DispatchQueue(label: "one-answer").async {
            defer { close(listener) }
            let connection = accept(listener, nil, nil)
            defer { close(connection) }
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while !Self.isComplete(text) {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { break }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            let bytes = Array(answer.utf8)
            _ = write(connection, bytes, bytes.count)
            whole.yield(text)
            whole.finish()
        }
    }

    /// The request, head and body.
    var request: String {
        get async {
            for await text in received { return text }
            return ""
        }
    }

    private static func bindToLoopback(_ listener: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && getsockname(listener, generic, &length) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// Whether head and body are there, by `Content-Length`.
    private static func isComplete(_ text: String) -> Bool {
        guard let head = text.range(of: "\r\n\r\n") else { return false }
        let line = text[..<head.lowerBound].components(separatedBy: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
        let length = line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        return text[head.upperBound...].utf8.count >= length
    }
}
