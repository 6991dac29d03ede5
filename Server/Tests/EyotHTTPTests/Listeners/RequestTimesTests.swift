import EyotHTTP
import EyotTestKit
import Logging
import NIOCore
import Synchronization
import Testing

@testable import EyotHTTP
@testable import HTTPConnections

@Suite("The times of a connection")
struct RequestTimesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        (limits.headTime, limits.bodyTime) = (.seconds(15), .seconds(30))
        (limits.requestTime, limits.idleTime) = (.seconds(120), .seconds(60))
        return limits
    }()

    private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    private func expect(_ times: RequestTimes, _ missed: RequestTimes.Missed, by seconds: Int64) {
        #expect(times.due?.missed == missed)
        #expect(times.due?.at == at(seconds))
    }

    @Test func `No byte extends the time of a head or a body`() {
        var times = RequestTimes(limits, at: start)
        expect(times, .firstByte, by: 15)
        times.noteBytes(at: at(10))
        expect(times, .head, by: 25)
        times.noteBytes(at: at(20))
        expect(times, .head, by: 25)
        times.noteHead(at: at(21))
        expect(times, .body, by: 51)
        times.noteBytes(at: at(50))
        expect(times, .body, by: 51)
        times.noteEnd()
        // The whole request counts from its first byte.
        expect(times, .answer, by: 130)
        times.noteAnswer(at: at(100))
        expect(times, .nextRequest, by: 160)
        times.noteBytes(at: at(150))
        expect(times, .head, by: 165)
    }

    @Test func `A request behind another has its time from the answer to that one`() {
        var times = RequestTimes(limits, at: start)
        times.noteBytes(at: start)
        times.noteHead(at: start)
        times.noteEnd()
        times.noteBytes(at: at(1))
        times.noteHead(at: at(1))
        expect(times, .answer, by: 120)
        times.noteAnswer(at: at(100))
        expect(times, .body, by: 130)
        times.noteEnd()
        expect(times, .answer, by: 220)
        times.noteBytes(at: at(101))
        times.noteAnswer(at: at(110))
        expect(times, .head, by: 125)
    }

    @Test func `A stream of events has a longer time, and the request behind it the usual one`() {
        var times = RequestTimes(limits, at: start)
        times.noteBytes(at: start)
        times.noteHead(at: start)
        times.noteEnd()
        times.noteStream(at: at(1))
        expect(times, .answer, by: 901)
        times.noteAnswer(at: at(600))
        expect(times, .nextRequest, by: 660)
        times.noteBytes(at: at(610))
        times.noteHead(at: at(611))
        times.noteEnd()
        expect(times, .answer, by: 730)
    }

    @Test func `An address has its share of the places, the reserve included`() throws {
        var limits = ConnectionLimits()
        (limits.connections, limits.connectionsPerAddress) = (3, 2)
        (limits.reserve, limits.reservePerAddress) = (3, 1)
        let counts = ConnectionCounts(limits)
        func admit(_ address: String) throws -> ConnectionCounts.Place {
            try counts.admit(try SocketAddress(ipAddress: address, port: 50_000))
        }
        func refusal(_ address: String) -> Refusals.Kind? {
            (#expect(throws: ConnectionRefusal.self) { try admit(address) })?.kind
        }
        let first = try admit("203.0.113.7")
        #expect(counts.isCrowded(first))
        _ = try admit("127.0.0.1")
        _ = try admit("::ffff:203.0.113.7")
        #expect(refusal("203.0.113.7") == .connectionsPerAddress)
        #expect(try admit("203.0.113.8").isReserve)
        #expect(refusal("203.0.113.8") == .connections)
        #expect(try admit("2001:db8:1:2::1").isReserve)
        #expect(refusal("2001:db8:1:2:3::9") == .connections)
        #expect(try admit("127.0.0.1").isReserve)
        #expect(refusal("127.0.0.1") == .connections)
        #expect(throws: ConnectionRefusal.self) {
            try counts.admit(try SocketAddress(ipAddress: "203.0.113.9", port: 50_000), isLate: true)
        }
        counts.release(first)
        #expect(try !admit("203.0.113.7").isReserve)
    }

    @Test(
        "A caller of IPv4 is the same on a listener of IPv6",
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"), ("::ffff:127.0.0.1", nil),
            ("127.0.0.2", nil), ("::1", nil), ("2001:db8:1:2:3:4:5:6", "20010db800010002"), ("::2", "0000000000000000"),
        ] as [(String, String?)])
    func networks(address: String, network: String?) throws {
        #expect(try SocketAddress(ipAddress: address, port: 0).network == network)
    }

    @Test func `The log says once how many were refused, by kind`() {
        let lines = Lines()
        let refusals = Refusals()
        let log = RefusalLog(
            refusals: refusals, clock: StandingClock(),
            logger: Logger(label: "test") { _ in LineHandler(lines: lines) })
        var written: [Refusals.Kind: Int] = [:]
        log.write(beyond: &written)
        for _ in 1...3 { refusals.note(.headTime) }
        refusals.note(.host)
        log.write(beyond: &written)
        log.write(beyond: &written)
        refusals.note(.host)
        log.write(beyond: &written)
        #expect(lines.all == [["headTime": "3", "host": "1"], ["host": "1"]])
    }

    @Test func `The status says how many were refused, by kind`() async throws {
        try await Rig.run { rig in
            let status = try await rig.call(.get, "/v1/status")
            #expect(status["refused", "headTime"]?.integer == 0)
            let ready = try await rig.call(.get, "/readyz", key: nil)
            #expect(ready["refused"] == nil)
        }
    }
}

/// What was logged at the level of notices.
private final class Lines: Sendable {
    private let lines = Mutex<[[String: String]]>([])

    var all: [[String: String]] { lines.withLock { $0 } }

    func add(_ line: [String: String]) { lines.withLock { $0.append(line) } }
}

private struct LineHandler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add((event.metadata ?? [:]).mapValues { "\($0)" })
    }
}
