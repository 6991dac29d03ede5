import EyotCommands
import EyotDomain
import HTTPConnections
import NIOCore
import Synchronization
import Testing
import WebhookSender

/// The client against receivers on this machine.
@Suite("Webhooks: posts", .timeLimit(.minutes(10)))
struct WebhookClientTests {
    private static func message() throws -> WebhookMessage {
        try WebhookMessage(id: "msg_1", body: Array("{}".utf8), secrets: [.make(.v1)], at: Instant(second: 5))
    }

    private static func post(
        _ url: String, _ policy: AddressPolicy = WebhookRig.loopback, limit: TimeAmount = .seconds(60),
        _ resolve: (@Sendable (String) throws -> [SocketAddress])? = nil
    ) async throws -> WebhookAnswer {
        let client = WebhookClient(policy, limit: limit, resolve: resolve)
        let answer = await client.post(try message(), to: try WebhookURL(url), of: AppID(rawValue: 1))
        await client.close()
        return answer
    }

    @Test(
        "The answer to a post says what became of it",
        arguments: [
            (Receiver.Reaction.status(200), WebhookAnswer.status(200)), (.status(410), .status(410)),
            (.status(302, location: "http://127.0.0.1/other"), .status(302)), (.close, .failed(.connectionFailed)),
            (.drip, .status(200)), (.hang, .failed(.timedOut)),
        ])
    func answers(_ reaction: Receiver.Reaction, _ expected: WebhookAnswer) async throws {
        try await Receiver.run(Receiver.always(reaction)) { receiver in
            let limit: TimeAmount = expected == .failed(.timedOut) ? .seconds(2) : .seconds(60)
            let answer = try await Self.post(receiver.url, limit: limit)
            #expect(answer == expected)
            #expect(receiver.messages.count == 1)
        }
    }

    @Test func `An address that is not public is refused unless the operator allows it`() async throws {
        try await Receiver.run { receiver in
            let plain = try await Self.post(receiver.url, AddressPolicy())
            #expect(plain == .failed(.addressRefused))
            let https = "https://127.0.0.1:\(receiver.port)/"
            let encrypted = try await Self.post(https, AddressPolicy())
            #expect(encrypted == .failed(.addressRefused))
            // Other forms of the same address.
            for host in ["localhost", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]"] {
                let url = "https://\(host):\(receiver.port)/"
                let other = try await Self.post(url, AddressPolicy())
                #expect(other == .failed(.addressRefused), "\(host)")
            }
            #expect(receiver.messages.isEmpty)
            let allowed = try await Self.post(receiver.url)
            #expect(allowed == .status(204))
        }
    }

    @Test func `Without TLS only allowed addresses are sent to`() async throws {
        let answer = try await Self.post("http://example.org/", WebhookRig.loopback) { _ in
            [try SocketAddress(ipAddress: "1.1.1.1", port: 0)]
        }
        #expect(answer == .failed(.addressRefused))
    }

    @Test func `The host is looked up once, and the address that was vetted is the one that is connected to`()
        async throws
    {
        try await Receiver.run { receiver in
            let asked = Mutex(0)
            // The system knows no such host: a second lookup would fail.
            let url = "http://hooks.invalid:\(receiver.port)/x"
            let answer = try await Self.post(url, WebhookRig.loopback) { host in
                asked.withLock { $0 += 1 }
                #expect(host == "hooks.invalid")
                return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
            }
            #expect(answer == .status(204))
            #expect(asked.withLock { $0 } == 1 && receiver.messages.map(\.path) == ["/x"])
            #expect(receiver.messages.first?.headers["host"]?.hasPrefix("hooks.invalid") == true)
        }
    }

    @Test func `A host with one address that is not permitted is refused`() async throws {
        try await Receiver.run { receiver in
            let url = "http://hooks.invalid:\(receiver.port)/"
            let answer = try await Self.post(url, WebhookRig.loopback) { _ in
                try ["127.0.0.1", "169.254.169.254"].map { try SocketAddress(ipAddress: $0, port: 0) }
            }
            #expect(answer == .failed(.addressRefused))
            #expect(receiver.messages.isEmpty)
        }
    }

    @Test func `A host without an address is unknown`() async throws {
        let answer = try await Self.post("https://hooks.invalid/")
        #expect(answer == .failed(.hostUnknown))
    }

    @Test func `A handshake that fails is known at once`() async throws {
        try await Receiver.run { receiver in
            let answer = try await Self.post("https://127.0.0.1:\(receiver.port)/")
            #expect(answer == .failed(.tlsFailed))
        }
    }

    @Test func `What a URL alone shows is refused when a webhook is created`() throws {
        let strict = AddressPolicy()
        #expect(strict.refusal(of: try WebhookURL("http://example.org/")) == "must begin with https://")
        #expect(strict.refusal(of: try WebhookURL("https://example.org/")) == nil)
        #expect(strict.refusal(of: try WebhookURL("https://169.254.169.254/")) != nil)
        #expect(strict.refusal(of: try WebhookURL("https://[fd00:ec2::254]/")) != nil)
        #expect(WebhookRig.loopback.refusal(of: try WebhookURL("http://127.0.0.1:8080/")) == nil)
        #expect(WebhookRig.loopback.refusal(of: try WebhookURL("http://10.0.0.1/")) != nil)
    }
}
