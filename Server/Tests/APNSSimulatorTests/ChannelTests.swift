import APNSSimulator
import APNSWire
import EyotContract
import Testing

/// One request about channels of each kind that a check refuses.
struct BadChannelRequest: Sendable, CustomTestStringConvertible {
    var reason: APNSReason
    var why: String
    var method = "POST"
    var suffix = "channels"
    var bundleID = Apple.bundleID
    var channel: String?
    var changes: [String: String?] = [:]
    var body = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#

    var testDescription: String { "\(reason.name): \(why)" }

    static let unknownChannel = "dHN0LXNyY2gtY2hubA=="

    static let all: [BadChannelRequest] = [
        BadChannelRequest(reason: .badPath, why: "a push", changes: [":path": "/3/device/00"]),
        BadChannelRequest(reason: .badPath, why: "a broadcast", changes: [":path": "/4/broadcasts/apps/a"]),
        BadChannelRequest(reason: .badPath, why: "another word", suffix: "channel"),
        BadChannelRequest(reason: .badPath, why: "the channel in the path", suffix: "channels/AAAA"),
        BadChannelRequest(reason: .badPath, why: "no app", changes: [":path": "/1/apps//channels"]),
        BadChannelRequest(reason: .methodNotAllowed, why: "PUT", method: "PUT"),
        BadChannelRequest(reason: .methodNotAllowed, why: "POST to the list", suffix: "all-channels"),
        BadChannelRequest(reason: .badMessageID, why: "no UUID", changes: ["apns-request-id": "1"]),
        BadChannelRequest(reason: .topicMismatch, why: "nobody's app", bundleID: "com.example.none"),
        BadChannelRequest(reason: .topicMismatch, why: "another team's app", bundleID: "com.example.chess"),
        BadChannelRequest(reason: .topicDisallowed, why: "a suffix", bundleID: Apple.topic),
        BadChannelRequest(reason: .missingChannelID, why: "read without", method: "GET", body: ""),
        BadChannelRequest(reason: .missingChannelID, why: "delete without", method: "DELETE", body: ""),
        BadChannelRequest(reason: .badChannelID, why: "no base64", method: "GET", channel: "x y", body: ""),
        BadChannelRequest(
            reason: .badChannelID, why: "too long", method: "GET", channel: String(repeating: "A", count: 260), body: ""
        ),
        BadChannelRequest(
            reason: .channelNotRegistered, why: "read", method: "GET", channel: unknownChannel, body: ""),
        BadChannelRequest(
            reason: .channelNotRegistered, why: "delete", method: "DELETE", channel: unknownChannel, body: ""),
        BadChannelRequest(reason: .payloadEmpty, why: "no body", body: ""),
        BadChannelRequest(reason: .badRequestPayload, why: "no JSON", body: "{"),
        BadChannelRequest(reason: .badRequestPayload, why: "no object", body: "[]"),
        BadChannelRequest(
            reason: .badRequestParams, why: "a word nobody knows",
            body: #"{"message-storage-policy":0,"push-type":"LiveActivity","name":"x"}"#),
        BadChannelRequest(reason: .missingPushType, why: "absent", body: #"{"message-storage-policy":0}"#),
        BadChannelRequest(
            reason: .invalidPushType, why: "alert", body: #"{"message-storage-policy":0,"push-type":"alert"}"#),
        BadChannelRequest(
            reason: .badRequestParams, why: "policy 2",
            body: #"{"message-storage-policy":2,"push-type":"LiveActivity"}"#),
        BadChannelRequest(reason: .badRequestParams, why: "no policy", body: #"{"push-type":"LiveActivity"}"#),
        BadChannelRequest(
            reason: .payloadTooLarge, why: "a megabyte",
            body: #"{"x":"\#(String(repeating: "x", count: 1 << 20))"}"#),
        BadChannelRequest(reason: .missingProviderToken, why: "absent", changes: ["authorization": nil]),
    ]
}

@Suite struct ChannelTests {
    @Test func `a channel is made, read, listed and deleted`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect(to: APNSEndpoint(.channels, .production))
        let id = "0a1b2c3d-0000-4000-8000-0123456789ab"
        let made = try await client.send(
            apple.channelHeaders("POST", changes: ["apns-request-id": id]), body: Apple.channelBody(storing: 1))
        #expect(made.status == 201)
        #expect(made.body.isEmpty)
        #expect(made.headers["apns-request-id"] == id)
        #expect(made.headers["apns-id"] == nil)
        let channel = try #require(made.headers["apns-channel-id"])
        #expect(APNSChannelID(channel) != nil)

        let read = try await client.send(apple.channelHeaders("GET", channel: channel), body: [])
        #expect(read.status == 200)
        #expect(read.text == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(APNSID(read.headers["apns-request-id"] ?? "") != nil)
        let second = try await apple.makeChannel(in: .production)
        let list = try await client.send(apple.channelHeaders("GET", "all-channels"), body: [])
        #expect(list.status == 200)
        #expect(list.headers["content-type"] == "application/json")
        #expect(list.text == #"{"channels":["\#(channel)","\#(second)"]}"#)

        let deleted = try await client.send(apple.channelHeaders("DELETE", channel: channel), body: [])
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(apple.simulator.channels(of: Apple.bundleID, in: .production).map(\.text) == [second])
        let again = try await client.send(apple.channelHeaders("DELETE", channel: channel), body: [])
        #expect(again.reason == "ChannelNotRegistered")
        #expect(again.status == 400)
        await apple.simulator.shutdown()
    }

    @Test("A request that Apple refuses gets Apple's reason and status", arguments: BadChannelRequest.all)
    func refusal(_ bad: BadChannelRequest) async throws {
        let apple = try await Apple()
        let client = try await apple.connect(to: APNSEndpoint(.channels, .sandbox))
        let headers = try apple.channelHeaders(
            bad.method, bad.suffix, bundleID: bad.bundleID, channel: bad.channel, changes: bad.changes)
        let response = try await client.send(headers, body: Array(bad.body.utf8))
        #expect(response.reason == bad.reason.name)
        #expect(response.status == bad.reason.status)
        #expect(response.headers["apns-request-id"] != nil)
        #expect(apple.simulator.channels(of: Apple.bundleID, in: .sandbox).isEmpty)
        await apple.simulator.shutdown()
    }

    @Test func `channels of one environment are not those of the other`() async throws {
        let apple = try await Apple()
        let channel = try await apple.makeChannel(in: .sandbox)
        let production = try await apple.connect(to: APNSEndpoint(.channels, .production))
        let read = try await production.send(apple.channelHeaders("GET", channel: channel), body: [])
        #expect(read.reason == "ChannelNotRegistered")
        #expect(apple.simulator.channels(of: Apple.bundleID, in: .production).isEmpty)
        await apple.simulator.shutdown()
    }

    @Test func `there is a limit for an app in an environment, and a deleted channel makes room`() async throws {
        let apple = try await Apple { $0.limits.channels = 2 }
        let client = try await apple.connect(to: APNSEndpoint(.channels, .sandbox))
        let first = try await apple.makeChannel()
        _ = try await apple.makeChannel()
        let body = Apple.channelBody(storing: 0)
        let third = try await client.send(apple.channelHeaders("POST"), body: body)
        #expect(third.reason == "CannotCreateChannelConfig")
        #expect(try await !apple.makeChannel(in: .production).isEmpty)
        _ = try await client.send(apple.channelHeaders("DELETE", channel: first), body: [])
        #expect(try await client.send(apple.channelHeaders("POST"), body: body).status == 201)
        await apple.simulator.shutdown()
    }

    @Test func `an app for which broadcast is not switched on has no channels`() async throws {
        let apple = try await Apple { $0.teams[0].appsWithoutBroadcast = [Apple.bundleID] }
        let client = try await apple.connect(to: APNSEndpoint(.channels, .sandbox))
        let response = try await client.send(apple.channelHeaders("POST"), body: Apple.channelBody(storing: 0))
        #expect(response.reason == "FeatureNotEnabled")
        // Pushes to tokens are not concerned.
        #expect(try await apple.connect().send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `faults of channels hit channels, done or not, and no pushes`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect(to: APNSEndpoint(.channels, .sandbox))
        apple.simulator.faults(of: .channels).enqueue([
            .refuse(.tooManyRequests), PushFault(.reset(.internalError), isDelivered: true),
        ])
        #expect(try await apple.connect().send(apple.headers(), body: Apple.payload).status == 200)
        let body = Apple.channelBody(storing: 0)
        #expect(try await client.send(apple.channelHeaders("POST"), body: body).reason == "TooManyRequests")
        #expect(apple.simulator.channels(of: Apple.bundleID, in: .sandbox).isEmpty)
        await #expect(throws: RawClient.Failure.reset(.internalError)) {
            try await client.send(apple.channelHeaders("POST"), body: body)
        }
        // The sender does not know of this channel, and Apple has it.
        #expect(apple.simulator.channels(of: Apple.bundleID, in: .sandbox).count == 1)
        let records = apple.simulator.requests().filter { $0.endpoint.service == .channels }
        #expect(records.map(\.verdict.isDelivered) == [false, true])
        #expect(records.map(\.verdict.status) == [429, 201])
        await apple.simulator.shutdown()
    }
}
