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

    @Test func `more faults than may wait are not taken`() {
        let script = FaultScript()
        #expect(script.enqueue(Array(repeating: .stall, count: FaultScript.capacity)))
        #expect(!script.enqueue([.stall]))
        #expect(script.count == FaultScript.capacity)
        script.clear()
        #expect(script.enqueue([.stall]))
    }
}
