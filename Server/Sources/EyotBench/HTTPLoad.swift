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
        await onLanes(calls) { numbers, connection in
            numbers.count { connection.answer(to: call($0))?.isSuccess == true }
        }
        .reduce(0, +)
    }

    /// Makes calls and answers what came back, by the call's number. A call is missing where nothing did.
    func answers(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> [Int: HTTPAnswer] {
        await onLanes(calls) { numbers, connection in
            numbers.compactMap { number in connection.answer(to: call(number)).map { (number, $0) } }
        }
        .reduce(into: [:]) { all, lane in for (number, answer) in lane { all[number] = answer } }
    }

    /// Deals calls out to connections. A lane that gets no connection answers nothing.
    private func onLanes<Result: Sendable>(
        _ calls: Int, _ body: @escaping @Sendable (StrideTo<Int>, HTTPConnection) -> Result
    ) async -> [Result] {
        let lanes = min(connections, calls)
        return await withTaskGroup(of: Result?.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // Blocks while it waits, so it has a thread of its own.
                        Thread.detachNewThread {
                            let numbers = stride(from: lane, to: calls, by: lanes)
                            continuation.resume(returning: HTTPConnection(port: port).map { body(numbers, $0) })
                        }
                    }
                }
            }
            return await group.reduce(into: []) { all, lane in if let lane { all.append(lane) } }
        }
    }
}

/// What a server answered.
struct HTTPAnswer: Sendable {
    var status: Int
    var body: [UInt8]

    var isSuccess: Bool { status < 300 }
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
    func answer(to call: [UInt8]) -> HTTPAnswer? {
        guard call.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) == call.count else { return nil }
        var count = 0
        while count < buffer.count {
            let room = buffer.count - count
            let read = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { recv(descriptor, $0 + count, room, 0) } ?? 0
            }
            guard read > 0 else { return nil }
            count += read
            if let answer = Self.answer(in: buffer[..<count]) { return answer }
        }
        return nil
    }

    /// An answer, once it is whole.
    private static func answer(in bytes: ArraySlice<UInt8>) -> HTTPAnswer? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        guard let field = head.range(of: "content-length: "),
            let length = Int(head[field.upperBound...].prefix { $0.isNumber }),
            text[end.upperBound...].utf8.count >= length,
            let status = Int(head.dropFirst("http/1.1 ".count).prefix(3))
        else { return nil }
        return HTTPAnswer(status: status, body: Array(text[end.upperBound...].utf8))
    }
}
