import Foundation

/// A client that calls an HTTP server on the loopback, one call after the other on each connection. It costs little
/// itself.
struct HTTPLoad: Sendable {
    let port: Int
    /// The number of connections, which is also the number of concurrent calls.
    let connections: Int

    /// Makes calls and returns how many were answered with a status below 300.
    ///
    /// - Parameter call: returns the bytes of a call, by its number.
    func run(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> Int {
        await onLanes(calls) { numbers, connection in
            numbers.count { connection.answer(to: call($0))?.isSuccess == true }
        }
        .reduce(0, +)
    }

    /// Makes calls and returns the answers by the call's number. A call without an answer is missing.
    func answers(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> [Int: HTTPAnswer] {
        await onLanes(calls) { numbers, connection in
            numbers.compactMap { number in connection.answer(to: call(number)).map { (number, $0) } }
        }
        .reduce(into: [:]) { all, lane in for (number, answer) in lane { all[number] = answer } }
    }

    /// Makes calls and returns each call's wait for its answer, and the cost of making them.
    func timed(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> TimedLoad {
        let began = ContinuousClock.now
        let lanes = await onLanes(calls) { numbers, connection in
            var lane = TimedLoad()
            for number in numbers {
                let bytes = call(number)
                let sent = ContinuousClock.now
                if connection.answer(to: bytes)?.isSuccess == true { lane.answered += 1 }
                lane.waits.append(sent.duration(to: .now).seconds)
            }
            lane.cpu = ProcessUsage.threadCPU
            return lane
        }
        var load = lanes.reduce(into: TimedLoad()) { $0.add($1) }
        load.seconds = began.duration(to: .now).seconds
        return load
    }

    /// Distributes calls over connections. A lane without a connection returns nothing.
    private func onLanes<Result: Sendable>(
        _ calls: Int, _ body: @escaping @Sendable (StrideTo<Int>, HTTPConnection) -> Result
    ) async -> [Result] {
        let lanes = min(connections, calls)
        return await withTaskGroup(of: Result?.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // It blocks while it waits, so it has a thread of its own.
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

/// The results of calls.
struct TimedLoad: Sendable {
    var answered = 0
    var seconds = 0.0
    /// The seconds until each call was answered.
    var waits: [Double] = []
    /// The caller's CPU time in seconds.
    var cpu = 0.0

    fileprivate mutating func add(_ lane: TimedLoad) {
        answered += lane.answered
        waits += lane.waits
        cpu += lane.cpu
    }
}

/// The answer of a server.
struct HTTPAnswer: Sendable {
    var status: Int
    var body: [UInt8]

    var isSuccess: Bool { status < 300 }
}

/// A connection that is kept open.
final class HTTPConnection {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    init?(port: Int) {
        guard let descriptor = Self.connected(to: port) else { return nil }
        self.descriptor = descriptor
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

    deinit { close(descriptor) }

    /// Sends a call and reads its answer; nil if the connection broke. The buffer grows to the longest answer.
    func answer(to call: [UInt8]) -> HTTPAnswer? {
        guard call.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) == call.count else { return nil }
        var count = 0
        while true {
            if count == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let room = buffer.count - count
            let read = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { recv(descriptor, $0 + count, room, 0) } ?? 0
            }
            guard read > 0 else { return nil }
            count += read
            if let answer = Self.answer(in: buffer[..<count]) { return answer }
        }
    }

    /// Returns an answer when it is complete. It is parsed by bytes, because the caller must not cost as much as the
    /// server.
    private static func answer(in bytes: ArraySlice<UInt8>) -> HTTPAnswer? {
        guard let end = end(ofHeadIn: bytes) else { return nil }
        let head = bytes[..<end]
        guard let length = length(in: head), bytes.count - end >= length else { return nil }
        let status = head.dropFirst("HTTP/1.1 ".utf8.count).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
        return HTTPAnswer(status: status, body: Array(bytes[end...]))
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

    /// Returns the value of `Content-Length`.
    private static func length(in head: ArraySlice<UInt8>) -> Int? {
        for line in head.split(separator: 10) where line.count > name.count {
            // Upper and lower case differ in one bit.
            guard zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            return line.dropFirst(name.count).lazy.filter { (48...57).contains($0) }.reduce(0) {
                $0 * 10 + Int($1) - 48
            }
        }
        return nil
    }

    private static let name = Array("content-length:".utf8)
}
