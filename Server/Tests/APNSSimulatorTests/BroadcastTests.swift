import APNSSimulator
import APNSWire
import EyotContract
import Testing

/// One broadcast of each kind that a check refuses.
struct BadBroadcast: Sendable, CustomTestStringConvertible {
    var reason: APNSReason
    var why: String
    var changes: [String: String?] = [:]
    var bundleID = Apple.bundleID
    var body = Apple.payload

    var testDescription: String { "\(reason.name): \(why)" }

    static let all: [BadBroadcast] = [
        BadBroadcast(reason: .badPath, why: "a push", changes: [":path": "/3/device/00"]),
        BadBroadcast(reason: .badPath, why: "no app", changes: [":path": "/4/broadcasts/apps/"]),
        BadBroadcast(reason: .badPath, why: "more than an app", changes: [":path": "/4/broadcasts/apps/a/b"]),
        BadBroadcast(reason: .methodNotAllowed, why: "PUT", changes: [":method": "PUT"]),
        BadBroadcast(reason: .badMessageID, why: "no UUID", changes: ["apns-request-id": "1"]),
        BadBroadcast(reason: .topicMismatch, why: "another team's app", bundleID: "com.example.chess"),
        BadBroadcast(reason: .topicDisallowed, why: "a suffix", bundleID: Apple.topic),
        BadBroadcast(reason: .missingChannelID, why: "absent", changes: ["apns-channel-id": nil]),
        BadBroadcast(reason: .badChannelID, why: "no base64", changes: ["apns-channel-id": "x"]),
        BadBroadcast(reason: .channelNotRegistered, why: "unknown", changes: ["apns-channel-id": "AAAA"]),
        BadBroadcast(reason: .missingPushType, why: "absent", changes: ["apns-push-type": nil]),
        BadBroadcast(reason: .invalidPushType, why: "alert", changes: ["apns-push-type": "alert"]),
        BadBroadcast(reason: .badPriority, why: "7", changes: ["apns-priority": "7"]),
        BadBroadcast(reason: .badPriority, why: "1", changes: ["apns-priority": "1"]),
        BadBroadcast(reason: .badPriority, why: "absent", changes: ["apns-priority": nil]),
        BadBroadcast(reason: .badExpirationDate, why: "absent", changes: ["apns-expiration": nil]),
        BadBroadcast(reason: .badExpirationDate, why: "a date", changes: ["apns-expiration": "2022-12-18"]),
        BadBroadcast(
            reason: .badExpirationDate, why: "storage on a channel that stores nothing",
            changes: ["apns-expiration": "1671379200"]),
        BadBroadcast(reason: .payloadEmpty, why: "no body", body: []),
        BadBroadcast(reason: .payloadTooLarge, why: "5,121 bytes", body: BadRequest.payload(bytes: 5_121)),
        BadBroadcast(reason: .badRequestPayload, why: "no JSON", body: [0x7B]),
        BadBroadcast(reason: .missingProviderToken, why: "absent", changes: ["authorization": nil]),
    ]
}

@Suite struct BroadcastTests {
    @Test func `a broadcast reaches whoever listens, with its channel and what is kept`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel(storing: 1, in: .production)
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .production))
        let id = "0A1B2C3D-0000-4000-8000-0123456789ab"
        let body = BadRequest.payload(bytes: 5_120)
        let response = try await client.send(
            apple.broadcastHeaders(
                channel, ["apns-request-id": id, "apns-expiration": "1671379200", "apns-priority": "5"]), body: body)
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(response.headers["apns-request-id"] == id)
        let heard = try #require(apple.phones.heard.first)
        #expect((heard.channel.text, heard.storage) == (channel, .mostRecent))
        #expect((heard.bundleID, heard.environment) == (Apple.bundleID, .production))
        #expect((heard.priority, heard.expiration) == (.considerate, 1_671_379_200))
        #expect((heard.id, heard.payload) == (id, body))
        #expect(apple.phones.received.isEmpty)
        await apple.simulator.shutdown()
    }

    @Test("A broadcast that Apple refuses gets Apple's reason and status", arguments: BadBroadcast.all)
    func refusal(_ bad: BadBroadcast) async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        let headers = try apple.broadcastHeaders(channel, bundleID: bad.bundleID, bad.changes)
        let response = try await client.send(headers, body: bad.body)
        #expect(response.reason == bad.reason.name)
        #expect(response.status == bad.reason.status)
        #expect(apple.phones.heard.isEmpty)
        #expect(try await client.send(apple.broadcastHeaders(channel), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `the push type of Apple's table is taken as well as that of its samples`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        let headers = try apple.broadcastHeaders(channel, ["apns-push-type": "Liveactivity"])
        #expect(try await client.send(headers, body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `of several faults the one that stands first in Apple's chain is told`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        var changes: [String: String?] = [
            "apns-channel-id": nil, "apns-push-type": nil, "apns-expiration": nil, "apns-priority": "7",
        ]
        let chain: [(reason: String, name: String, value: String)] = [
            ("MissingChannelId", "apns-channel-id", "AAAA"), ("MissingPushType", "apns-push-type", "alert"),
            ("InvalidPushType", "apns-push-type", "liveactivity"), ("BadExpirationDate", "apns-expiration", "0"),
            ("BadPriority", "apns-priority", "5"), ("ChannelNotRegistered", "apns-channel-id", channel),
        ]
        for (reason, name, value) in chain {
            let response = try await client.send(apple.broadcastHeaders(channel, changes), body: [])
            #expect(response.reason == reason)
            changes[name] = value
        }
        #expect(try await client.send(apple.broadcastHeaders(channel, changes), body: []).reason == "PayloadEmpty")
        await apple.simulator.shutdown()
    }

    @Test func `priority 1 is taken where the rules say so`() async throws {
        let apple = try await Apple { $0.rules.broadcastTakesLowestPriority = true }
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        let headers = try apple.broadcastHeaders(channel, ["apns-priority": "1"])
        #expect(try await client.send(headers, body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `priority and expiration may be absent where the rules say so`() async throws {
        let apple = try await Apple { $0.rules.broadcastNeedsPriorityAndExpiration = false }
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        let headers = try apple.broadcastHeaders(channel, ["apns-priority": nil, "apns-expiration": nil])
        #expect(try await client.send(headers, body: Apple.payload).status == 200)
        #expect(apple.phones.heard.map(\.priority) == [.immediate])
        await apple.simulator.shutdown()
    }

    @Test("The hosts for pushes take broadcasts too, unless the rules say otherwise", arguments: [true, false])
    func pushHost(isTaken: Bool) async throws {
        let apple = try await Apple { $0.rules.pushHostTakesBroadcasts = isTaken }
        let channel = try await apple.makeChannel()
        let client = try await apple.connect()
        let response = try await client.send(apple.broadcastHeaders(channel), body: Apple.payload)
        #expect(response.status == (isTaken ? 200 : 404))
        #expect(apple.phones.heard.count == (isTaken ? 1 : 0))
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `a channel of the other environment is not registered`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel(in: .sandbox)
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .production))
        let response = try await client.send(apple.broadcastHeaders(channel), body: Apple.payload)
        #expect(response.reason == "ChannelNotRegistered")
        await apple.simulator.shutdown()
    }

    @Test func `a channel takes as many broadcasts a minute as the limit says, and others theirs`() async throws {
        let apple = try await Apple { $0.limits.broadcastsPerMinute = 2 }
        let (channel, other) = (try await apple.makeChannel(), try await apple.makeChannel())
        // Each on a connection of its own: the provider token changes with the clock.
        func send(_ channel: String) async throws -> RawClient.Response {
            let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
            return try await client.send(apple.broadcastHeaders(channel), body: Apple.payload)
        }
        for name in [channel, channel, other] { #expect(try await send(name).status == 200) }
        let refused = try await send(channel)
        #expect((refused.status, refused.reason) == (429, "TooManyRequests"))
        #expect(apple.phones.heard.count == 3)
        #expect(try await send(other).status == 200)
        apple.advance(by: 59)
        #expect(try await send(channel).reason == "TooManyRequests")
        apple.advance(by: 1)
        #expect(try await send(channel).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `faults of broadcasts hit broadcasts`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel()
        let client = try await apple.connect(to: APNSEndpoint(.broadcast, .sandbox))
        apple.simulator.faults(of: .broadcast).enqueue([.refuse(.serviceUnavailable)])
        let first = try await client.send(apple.broadcastHeaders(channel), body: Apple.payload)
        #expect(first.reason == "Service Unavailable")
        #expect(apple.phones.heard.isEmpty)
        #expect(try await client.send(apple.broadcastHeaders(channel), body: Apple.payload).status == 200)
        #expect(apple.phones.heard.count == 1)
        await apple.simulator.shutdown()
    }
}
