import APNSSimulator
import APNSWire
import EyotContract
import NIOCore
import NIOHTTP2
import NIOPosix
import Testing

@Suite struct AnswerTests {
    @Test func `a phone gets exactly the bytes and what the headers say`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect(.production)
        let id = "0A1B2C3D-0000-4000-8000-0123456789ab"
        let response = try await client.send(
            apple.headers(["apns-id": id, "apns-collapse-id": "start-1", "apns-expiration": "1671375900"]),
            body: Apple.payload)
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(response.headers["apns-id"] == id)
        let push = try #require(apple.phones.received.first)
        #expect(push.token.hex == Apple.token)
        #expect(push.payload == Apple.payload)
        #expect((push.environment, push.topic, push.bundleID) == (.production, Apple.topic, Apple.bundleID))
        #expect((push.pushType, push.priority) == (.liveActivity, .immediate))
        #expect((push.expiration, push.collapseID, push.id) == (1_671_375_900, "start-1", id))
        await apple.simulator.shutdown()
    }

    @Test func `headers that are absent have Apple's defaults`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        let headers = try apple.headers(["apns-push-type": nil, "apns-priority": nil, "apns-expiration": nil])
        let response = try await client.send(headers, body: Apple.payload)
        #expect(APNSID(response.headers["apns-id"] ?? "") != nil)
        let push = try #require(apple.phones.received.first)
        #expect((push.pushType, push.priority) == (.liveActivity, .immediate))
        #expect(push.expiration == nil)
        #expect(push.id == response.headers["apns-id"])
        await apple.simulator.shutdown()
    }

    @Test func `only the sandbox answers a unique id`() async throws {
        let apple = try await Apple()
        let sandbox = try await apple.connect(.sandbox).send(apple.headers(), body: Apple.payload)
        let production = try await apple.connect(.production).send(apple.headers(), body: Apple.payload)
        #expect(APNSID(sandbox.headers["apns-unique-id"] ?? "") != nil)
        #expect(production.headers["apns-unique-id"] == nil)
        await apple.simulator.shutdown()
    }

    @Test func `one stream is allowed until a valid provider token was shown`() async throws {
        let apple = try await Apple { $0.limits.concurrentStreams = 500 }
        let client = try await apple.connect()
        _ = try await client.send(apple.headers(["authorization": nil]), body: Apple.payload)
        #expect(try await client.streamLimits() == [1])
        // The push itself may be refused; the token is what counts.
        _ = try await client.send(apple.headers(["apns-priority": "7"]), body: Apple.payload)
        _ = try await client.send(apple.headers(), body: Apple.payload)
        #expect(try await client.streamLimits() == [1, 500])
        await apple.simulator.shutdown()
    }

    @Test func `many streams are allowed at once where the rules say so`() async throws {
        let apple = try await Apple { $0.rules.oneStreamUntilValidToken = false }
        let client = try await apple.connect()
        _ = try await client.send(apple.headers(), body: Apple.payload)
        #expect(try await client.streamLimits() == [1_000])
        await apple.simulator.shutdown()
    }

    @Test func `the newest requests are kept, and provider tokens without their signatures`() async throws {
        let apple = try await Apple { $0.limits.recordedRequests = 3 }
        let client = try await apple.connect()
        let jwt = try apple.jwt()
        for priority in ["1", "5", "7", "10"] {
            _ = try await client.send(apple.headers(jwt: jwt, ["apns-priority": priority]), body: Apple.payload)
        }
        let records = apple.simulator.requests(limit: 100)
        #expect(apple.simulator.requestCount == 4)
        #expect(records.map(\.number) == [2, 3, 4])
        #expect(records.map(\.verdict.status) == [200, 400, 200])
        #expect(records.map(\.verdict.reason) == [nil, .badPriority, nil])
        #expect(records.map(\.verdict.isDelivered) == [true, false, true])
        #expect(apple.simulator.requests(limit: 1).map(\.number) == [4])
        #expect(apple.simulator.requests(limit: -1).isEmpty)
        let record = try #require(records.last)
        #expect(record.payload == Apple.payload)
        #expect(record.headers.contains { $0 == (":path", "/3/device/\(Apple.token)") })
        let shown = try #require(record.headers.first { $0.name == "authorization" }?.value)
        let signature = try #require(jwt.split(separator: ".").last)
        #expect(shown.hasPrefix("bearer \(jwt.split(separator: ".")[0])."))
        #expect(!shown.contains(signature))
        await apple.simulator.shutdown()
    }

    @Test func `connections over the limit are closed, and a place that is free again is given away`() async throws {
        let apple = try await Apple { $0.limits.connections = 1 }
        let first = try await apple.connect()
        #expect(try await first.send(apple.headers(), body: Apple.payload).status == 200)
        let second = try await apple.connect()
        await #expect(throws: RawClient.Failure.closed) {
            try await second.send(apple.headers(), body: Apple.payload)
        }
        try await first.close()
        try await second.closed()
        await apple.simulator.shutdown()
    }

    @Test("A client that says nothing is cut off, by the handshake's limit or the idle one", arguments: [true, false])
    func silence(isHandshake: Bool) async throws {
        let apple = try await Apple { configuration in
            if isHandshake {
                configuration.limits.handshake = .milliseconds(50)
            } else {
                configuration.limits.idle = .milliseconds(50)
            }
        }
        let port = Int(apple.simulator.sandboxURL.split(separator: ":").last ?? "") ?? 0
        let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        try await silent.closeFuture.get()
        await apple.simulator.shutdown()
    }

    @Test func `a client that does not speak HTTP 2 is cut off, and others are served`() async throws {
        let apple = try await Apple()
        let port = Int(apple.simulator.sandboxURL.split(separator: ":").last ?? "") ?? 0
        let stranger = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        try await stranger.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"))
        try await stranger.closeFuture.get()
        #expect(try await apple.connect().send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `a shutdown closes the connections`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
        try await client.closed()
    }
}
