import APNSWire
import NIOHTTP2
import Testing

@testable import APNSSimulator

@Suite struct FaultTests {
    @Test func `faults hit the next pushes in order, and only pushes that pass the checks`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        apple.simulator.faults.enqueue([.refuse(.tooManyRequests), .none, .refuse(.unregistered, deadSince: Apple.now)])
        #expect(try await client.send(apple.headers(["apns-priority": "7"]), body: Apple.payload).status == 400)
        #expect(try await client.send(apple.headers(), body: Apple.payload).reason == "TooManyRequests")
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        #expect(try await client.send(apple.headers(), body: Apple.payload).text.contains("1671375600000"))
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        #expect(apple.phones.received.count == 2)
        #expect(apple.simulator.faults.count == 0)
        await apple.simulator.shutdown()
    }

    @Test(
        "A stream is reset as told, whether or not the phone got the push",
        arguments: [
            (PushFault.StreamReset.refusedStream, HTTP2ErrorCode.refusedStream, false),
            (.internalError, .internalError, true), (.cancel, .cancel, true),
        ])
    func reset(_ reset: PushFault.StreamReset, _ code: HTTP2ErrorCode, _ isDelivered: Bool) async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        apple.simulator.faults.enqueue([PushFault(.reset(reset), isDelivered: isDelivered)])
        await #expect(throws: RawClient.Failure.reset(code)) {
            try await client.send(apple.headers(), body: Apple.payload)
        }
        #expect(apple.phones.received.count == (isDelivered ? 1 : 0))
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `a connection closes without a word`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        apple.simulator.faults.enqueue([PushFault(.closed, isDelivered: true)])
        await #expect(throws: RawClient.Failure.closed) {
            try await client.send(apple.headers(), body: Apple.payload)
        }
        #expect(apple.phones.received.count == 1)
        await apple.simulator.shutdown()
    }

    @Test func `a connection says goodbye with a reason, before or after the push`() async throws {
        let apple = try await Apple()
        let first = try await apple.connect()
        #expect(try await first.send(apple.headers(), body: Apple.payload).status == 200)
        apple.simulator.faults.enqueue([
            PushFault(.goAway(includingThis: false, .shutdown), isDelivered: false),
            PushFault(.goAway(includingThis: true, nil), isDelivered: true),
        ])
        await #expect(throws: RawClient.Failure.goAway(lastStream: 1, words: #"{"reason":"Shutdown"}"#)) {
            try await first.send(apple.headers(), body: Apple.payload)
        }
        try await first.closed()
        let second = try await apple.connect()
        #expect(try await second.send(apple.headers(), body: Apple.payload).status == 200)
        try await second.closed()
        #expect(apple.phones.received.count == 2)
        await apple.simulator.shutdown()
    }

    @Test func `a push that its receiver chooses has no answer, and others of its connection have theirs`() async throws
    {
        let apple = try await Apple()
        let client = try await apple.connect()
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        apple.phones.receive("00ff", as: .unanswered)
        let headers = try apple.headers(token: "00ff")
        let silent = Task { try await client.send(headers, body: Apple.payload) }
        while apple.simulator.requestCount < 2 { await Task.yield() }
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        let record = try #require(apple.simulator.requests().first { $0.number == 2 })
        #expect(record.verdict.fault == .stall && !record.verdict.isDelivered)
        #expect(apple.phones.received.count == 2)
        await apple.simulator.shutdown()
        await #expect(throws: (any Error).self) { try await silent.value }
    }

    @Test func `more faults than may wait are not taken`() {
        let script = FaultScript()
        #expect(script.enqueue(Array(repeating: .stall, count: FaultScript.capacity)))
        #expect(!script.enqueue([.stall]))
        #expect(script.count == FaultScript.capacity)
        script.clear()
        #expect(script.enqueue([.stall]))
    }
}
