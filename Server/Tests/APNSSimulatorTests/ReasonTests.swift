import APNSSimulator
import APNSWire
import Testing

/// One request of each kind that a check refuses.
struct BadRequest: Sendable, CustomTestStringConvertible {
    var reason: APNSReason
    var why: String
    var changes: [String: String?] = [:]
    var body = Apple.payload
    var token = Apple.token

    var testDescription: String { "\(reason.name): \(why)" }

    static let all: [BadRequest] = [
        BadRequest(reason: .methodNotAllowed, why: "GET", changes: [":method": "GET"]),
        BadRequest(reason: .badPath, why: "another path", changes: [":path": "/4/device/00"]),
        BadRequest(reason: .badPath, why: "two tokens", changes: [":path": "/3/device/00/11"]),
        BadRequest(reason: .badPath, why: "a longer word", changes: [":path": "/3/devices"]),
        BadRequest(reason: .missingDeviceToken, why: "no token", token: ""),
        BadRequest(reason: .missingDeviceToken, why: "no slash", changes: [":path": "/3/device"]),
        BadRequest(reason: .badDeviceToken, why: "not hexadecimal", token: "xyz0"),
        BadRequest(reason: .badDeviceToken, why: "half a byte", token: "0a1"),
        BadRequest(reason: .badDeviceToken, why: "too long", token: String(repeating: "00", count: 201)),
        BadRequest(reason: .badMessageID, why: "no UUID", changes: ["apns-id": "1"]),
        BadRequest(reason: .missingTopic, why: "absent", changes: ["apns-topic": nil]),
        BadRequest(
            reason: .badTopic, why: "no app of anybody",
            changes: ["apns-topic": "com.example.none.push-type.liveactivity"]),
        BadRequest(
            reason: .topicDisallowed, why: "another team's app",
            changes: ["apns-topic": "com.example.chess.push-type.liveactivity"]),
        BadRequest(reason: .deviceTokenNotForTopic, why: "no suffix", changes: ["apns-topic": Apple.bundleID]),
        BadRequest(reason: .invalidPushType, why: "unknown", changes: ["apns-push-type": "LiveActivity"]),
        BadRequest(reason: .invalidPushType, why: "not the topic's", changes: ["apns-push-type": "alert"]),
        BadRequest(reason: .badPriority, why: "7", changes: ["apns-priority": "7"]),
        BadRequest(reason: .badPriority, why: "010", changes: ["apns-priority": "010"]),
        BadRequest(reason: .badExpirationDate, why: "a date", changes: ["apns-expiration": "2022-12-18"]),
        BadRequest(reason: .badExpirationDate, why: "negative", changes: ["apns-expiration": "-1"]),
        BadRequest(
            reason: .badCollapseID, why: "65 bytes",
            changes: ["apns-collapse-id": String(repeating: "é", count: 32) + "x"]),
        BadRequest(reason: .payloadEmpty, why: "no body", body: []),
        BadRequest(reason: .payloadTooLarge, why: "4,097 bytes", body: Self.payload(bytes: 4_097)),
        BadRequest(reason: .payloadTooLarge, why: "a megabyte", body: Self.payload(bytes: 1 << 20)),
        BadRequest(reason: .missingProviderToken, why: "absent", changes: ["authorization": nil]),
        BadRequest(reason: .missingProviderToken, why: "another scheme", changes: ["authorization": "basic eA=="]),
        BadRequest(reason: .invalidProviderToken, why: "no token", changes: ["authorization": "bearer nonsense"]),
    ]

    static func payload(bytes: Int) -> [UInt8] {
        let head = Array(#"{"aps":{},"x":""#.utf8)
        let tail = Array(#""}"#.utf8)
        return head + Array(repeating: UInt8(ascii: "x"), count: bytes - head.count - tail.count) + tail
    }
}

@Suite struct ReasonTests {
    @Test(
        "A request that Apple refuses gets Apple's reason and status, and reaches no phone", arguments: BadRequest.all)
    func refusal(_ bad: BadRequest) async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        let response = try await client.send(apple.headers(token: bad.token, bad.changes), body: bad.body)
        #expect(response.reason == bad.reason.name)
        #expect(response.status == bad.reason.status)
        #expect(response.headers["content-type"] == "application/json")
        #expect(apple.phones.received.isEmpty)
        // The connection has taken no harm.
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `a header that comes twice is refused`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        let headers = try apple.headers() + [("apns-priority", "10")]
        #expect(try await client.send(headers, body: Apple.payload).reason == "DuplicateHeaders")
        await apple.simulator.shutdown()
    }

    @Test func `the largest payload and the longest collapse id are accepted`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        let body = BadRequest.payload(bytes: 4_096)
        let headers = try apple.headers(["apns-collapse-id": String(repeating: "x", count: 64)])
        #expect(try await client.send(headers, body: body).status == 200)
        #expect(apple.phones.received.map(\.payload) == [body])
        await apple.simulator.shutdown()
    }

    @Test func `what the phones' owner refuses is Apple's answer, and 410 says since when in milliseconds`()
        async throws
    {
        let apple = try await Apple()
        let client = try await apple.connect()
        apple.phones.bury("00ff", .unregistered, since: Apple.now.addingTimeInterval(-60.5))
        apple.phones.bury("00fe", .expiredToken)
        apple.phones.bury("00fd", .badDeviceToken)
        let unregistered = try await client.send(apple.headers(token: "00ff"), body: Apple.payload)
        #expect(unregistered.status == 410)
        #expect(unregistered.text == #"{"reason":"Unregistered","timestamp":1671375539500}"#)
        let expired = try await client.send(apple.headers(token: "00fe"), body: Apple.payload)
        #expect(expired.text == #"{"reason":"ExpiredToken","timestamp":1671375600000}"#)
        let bad = try await client.send(apple.headers(token: "00fd"), body: Apple.payload)
        #expect(bad.text == #"{"reason":"BadDeviceToken"}"#)
        await apple.simulator.shutdown()
    }

    @Test func `which of two faults is named follows the configured order`() async throws {
        let apple = try await Apple { $0.rules.check(first: [.payloadSize, .priority]) }
        let client = try await apple.connect()
        let headers = try apple.headers(["authorization": nil, "apns-priority": "7"])
        #expect(try await client.send(headers, body: []).reason == "PayloadEmpty")
        #expect(try await client.send(headers, body: Apple.payload).reason == "BadPriority")
        let usual = try await Apple()
        let other = try await usual.connect()
        #expect(try await other.send(headers, body: []).reason == "MissingProviderToken")
        await apple.simulator.shutdown()
        await usual.simulator.shutdown()
    }

    @Test(
        "A malformed payload is passed on, or refused where the rules say so",
        arguments: ["goal", #"{"aps":{},}"#, #"{"alert":"x"}"#, #"{"aps":1}"#])
    func malformed(_ text: String) async throws {
        let body = Array(text.utf8)
        let apple = try await Apple()
        #expect(try await apple.connect().send(apple.headers(), body: body).status == 200)
        #expect(apple.phones.received.map(\.payload) == [body])
        await apple.simulator.shutdown()
        let strict = try await Apple { $0.rules.malformedPayload = .refused }
        #expect(try await strict.connect().send(strict.headers(), body: body).reason == "BadRequestPayload")
        #expect(strict.phones.received.isEmpty)
        await strict.simulator.shutdown()
    }

    @Test("Broadcasts and channels are not served yet", arguments: [APNSEndpoint.Service.broadcast, .channels])
    func notServed(_ service: APNSEndpoint.Service) async throws {
        let apple = try await Apple()
        let client = try await apple.connect(to: APNSEndpoint(service, .production))
        #expect(try await client.send(apple.headers(), body: Apple.payload).reason == "BadPath")
        await apple.simulator.shutdown()
    }
}
