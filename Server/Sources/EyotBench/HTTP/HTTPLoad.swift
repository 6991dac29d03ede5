import Foundation
import NIOSSL

/// A client that calls an HTTP server on the loopback, one call after the other on each connection. It costs little
/// itself.
struct HTTPLoad: Sendable {
    let port: Int
    /// The number of connections, which is also the number of concurrent calls.
    let connections: Int
    /// The client's side of TLS; nil for none.
    var tls: NIOSSLContext?
    /// Whether a connection carries many calls. Otherwise each call opens and closes a connection of its own.
    var keepsConnections = true

    /// Makes calls and returns how many were answered with a status below 300.
    ///
    /// - Parameter call: returns the bytes of a call, by its number.
    func run(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> Int {
        await onLanes(calls) { numbers, caller in
            numbers.count { caller.answer(to: call($0))?.isSuccess == true }
        }
        .reduce(0, +)
    }

    /// Makes calls and returns the answers by the call's number. A call without an answer is missing.
    func answers(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> [Int: HTTPAnswer] {
        await onLanes(calls) { numbers, caller in
            numbers.compactMap { number in caller.answer(to: call(number)).map { (number, $0) } }
        }
        .reduce(into: [:]) { all, lane in for (number, answer) in lane { all[number] = answer } }
    }

    /// Makes calls and returns each call's wait for its answer, and the cost of making them.
    func timed(calls: Int, _ call: @escaping @Sendable (Int) -> [UInt8]) async -> TimedLoad {
        let began = ContinuousClock.now
        let lanes = await onLanes(calls) { numbers, caller in
            var lane = TimedLoad()
            for number in numbers {
                let bytes = call(number)
                let sent = ContinuousClock.now
                if caller.answer(to: bytes)?.isSuccess == true { lane.answered += 1 }
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
        _ calls: Int, _ body: @escaping @Sendable (StrideTo<Int>, HTTPCaller) -> Result
    ) async -> [Result] {
        let lanes = min(connections, calls)
        return await withTaskGroup(of: Result?.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // It blocks while it waits, so it has a thread of its own.
                        Thread.detachNewThread {
                            let numbers = stride(from: lane, to: calls, by: lanes)
                            continuation.resume(returning: HTTPCaller(self).map { body(numbers, $0) })
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

/// One caller of a load: on a connection that it keeps, or with a new one for each call.
final class HTTPCaller {
    private let load: HTTPLoad
    private let kept: HTTPConnection?

    /// Nil if the server refuses the connection.
    init?(_ load: HTTPLoad) {
        self.load = load
        kept = load.keepsConnections ? HTTPConnection(port: load.port, tls: load.tls) : nil
        if load.keepsConnections, kept == nil { return nil }
    }

    /// Makes a call; nil if there is no answer.
    func answer(to call: [UInt8]) -> HTTPAnswer? {
        (kept ?? HTTPConnection(port: load.port, tls: load.tls))?.answer(to: call)
    }
}
