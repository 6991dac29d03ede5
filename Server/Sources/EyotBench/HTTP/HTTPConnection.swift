import Foundation
import NIOSSL

/// The answer of a server.
struct HTTPAnswer: Sendable {
    var status: Int
    var body: [UInt8]
    /// Seconds after which the call may come again; nil if the answer does not say.
    var retryAfter: Double?

    var isSuccess: Bool { status < 300 }
}

/// A connection that is open until the value goes. It blocks, and one thread uses it.
final class HTTPConnection {
    /// An error of the connection.
    private struct Broken: Error {}

    private let descriptor: Int32
    private let tls: TLSClient?
    /// The answer so far.
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    /// Bytes from the socket before they are decrypted.
    private var received: [UInt8]

    /// Opens a connection to this machine; nil if it is refused.
    ///
    /// - Parameter tls: nil for no TLS. The handshake begins with the first call.
    init?(port: Int, tls: NIOSSLContext? = nil) {
        guard let descriptor = Self.connected(to: port) else { return nil }
        self.descriptor = descriptor
        self.tls = tls.flatMap { try? TLSClient($0) }
        received = [UInt8](repeating: 0, count: self.tls == nil ? 0 : 16_384)
        guard tls != nil, self.tls == nil else { return }
        close(descriptor)
        return nil
    }

    /// Opens a connection to this machine; nil if it is refused.
    static func connected(to port: Int) -> Int32? {
        let descriptor = Loopback.stream()
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(descriptor) }
        return isConnected ? descriptor : nil
    }

    deinit {
        if let tls {
            tls.end()
            // The server may be gone, and the connection ends anyway.
            try? flush(tls)
            tls.remove()
        }
        close(descriptor)
    }

    /// Sends a call and reads its answer; nil if the connection broke. The buffer grows to the longest answer.
    func answer(to call: [UInt8]) -> HTTPAnswer? {
        do {
            try write(call)
            var count = 0
            while true {
                count += try read(after: count)
                if let answer = Self.answer(in: buffer[..<count]) { return answer }
            }
        } catch {
            return nil
        }
    }

    // MARK: Bytes

    private func write(_ call: [UInt8]) throws {
        guard let tls else { return try call.withUnsafeBytes(transmit) }
        tls.write(call)
        try flush(tls)
    }

    /// Appends further bytes of the answer to the buffer after the first `count`, and returns how many.
    private func read(after count: Int) throws -> Int {
        if count == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
        guard let tls else { return try Self.receive(from: descriptor, into: &buffer, at: count) }
        while true {
            let length = try Self.receive(from: descriptor, into: &received, at: 0)
            try tls.receive(received[..<length])
            // The handshake has answers of its own.
            try flush(tls)
            let plain = try tls.read()
            guard plain.isEmpty else {
                buffer.replaceSubrange(count..<min(buffer.count, count + plain.count), with: plain)
                return plain.count
            }
        }
    }

    /// Sends the bytes that TLS has for the server.
    private func flush(_ tls: TLSClient) throws {
        while let bytes = try tls.outgoing() { try bytes.withUnsafeReadableBytes(transmit) }
    }

    private func transmit(_ bytes: UnsafeRawBufferPointer) throws {
        guard send(descriptor, bytes.baseAddress, bytes.count, Loopback.sending) == bytes.count else {
            throw Broken()
        }
    }

    private static func receive(from descriptor: Int32, into buffer: inout [UInt8], at start: Int) throws -> Int {
        let room = buffer.count - start
        let length = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { recv(descriptor, $0 + start, room, 0) } ?? 0
        }
        guard length > 0 else { throw Broken() }
        return length
    }

    // MARK: Answers

    /// Returns an answer when it is complete. It is parsed by bytes, because the caller must not cost as much as the
    /// server.
    private static func answer(in bytes: ArraySlice<UInt8>) -> HTTPAnswer? {
        guard let end = end(ofHeadIn: bytes) else { return nil }
        let head = bytes[..<end]
        guard let length = number(of: contentLength, in: head), bytes.count - end >= length else { return nil }
        let status = head.dropFirst("HTTP/1.1 ".utf8.count).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
        return HTTPAnswer(
            status: status, body: Array(bytes[end...]),
            retryAfter: status < 300 ? nil : number(of: retryAfter, in: head).map(Double.init))
    }

    private static func end(ofHeadIn bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 3 < bytes.endIndex {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
                return index + 4
            }
            index += 1
        }
        return nil
    }

    /// Returns the value of a header that is a number.
    private static func number(of name: [UInt8], in head: ArraySlice<UInt8>) -> Int? {
        for line in head.split(separator: 10) where line.count > name.count {
            // Upper and lower case differ in one bit.
            guard zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            return line.dropFirst(name.count).lazy.filter { (48...57).contains($0) }.reduce(0) {
                $0 * 10 + Int($1) - 48
            }
        }
        return nil
    }

    private static let contentLength = Array("content-length:".utf8)
    private static let retryAfter = Array("retry-after:".utf8)
}
