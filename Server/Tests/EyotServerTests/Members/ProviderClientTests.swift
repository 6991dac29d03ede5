import EyotDomain
import EyotServer
import OutboundHTTP
import Testing

/// OpenID providers that do what they like.
@Suite("Calls to the sign-in provider", .timeLimit(.minutes(10)))
struct ProviderClientTests {
    private static func call(_ receiver: Receiver, seconds: Double = 60) -> ProviderCall {
        var call = ProviderCall(
            receiver.url, form: [("code", Secret("a b")), ("client_secret", Secret("s&"))],
            authorization: Secret("Basic eA=="))
        call.seconds = seconds
        return call
    }

    private static func run(
        _ reaction: Receiver.Reaction, _ body: (Receiver, OutboundProviderClient) async throws -> Void
    ) async throws {
        try await Receiver.run(Receiver.always(reaction)) { receiver in
            let client = OutboundProviderClient()
            try await body(receiver, client)
            await client.close()
        }
    }

    @Test func `A form and its authorization arrive, and the answer comes back`() async throws {
        try await Self.run(.text("{}")) { receiver, client in
            let answer = try await client.call(Self.call(receiver))
            #expect(answer.status == 200 && answer.body == Array("{}".utf8))
            let message = try #require(receiver.messages.first)
            #expect(String(decoding: message.body, as: UTF8.self) == "code=a%20b&client_secret=s%26")
            #expect(message.headers["authorization"] == "Basic eA==")
            #expect(message.headers["content-type"] == "application/x-www-form-urlencoded")
        }
    }

    @Test func `An answer without an end is given up at its limit`() async throws {
        try await Self.run(.flood) { receiver, client in
            await #expect(throws: OutboundFailure.answerTooLong) { _ = try await client.call(Self.call(receiver)) }
            try await receiver.untilClosed(1)
            #expect(receiver.sent < 32 * 1_048_576)
        }
    }

    @Test("A provider that is slow is given up in time", arguments: [Receiver.Reaction.trickle, .hang, .slowHead])
    func time(_ reaction: Receiver.Reaction) async throws {
        try await Self.run(reaction) { receiver, client in
            await #expect(throws: OutboundFailure.timedOut) {
                _ = try await client.call(Self.call(receiver, seconds: 0.5))
            }
        }
    }

    @Test func `A redirect takes no code and no secret to another place`() async throws {
        try await Receiver.run { other in
            try await Self.run(.status(307, location: other.url)) { receiver, client in
                let answer = try await client.call(Self.call(receiver))
                #expect(answer.status == 307)
            }
            #expect(other.messages.isEmpty)
        }
    }
}
