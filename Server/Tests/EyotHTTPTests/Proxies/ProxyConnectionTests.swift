import EyotHTTP
import HTTPConnections
import NIOCore
import Testing

/// What a proxy on this machine says of its callers, on real connections.
@Suite("Behind a proxy", .timeLimit(.minutes(10)))
struct ProxyConnectionTests {
    private static let onePerAddress: @Sendable (inout HTTPServer.Settings) -> Void = {
        $0.limits.connectionsPerAddress = 1
    }

    private func run(
        _ header: TrustedProxies.Header, change: (inout HTTPServer.Settings) -> Void = { _ in },
        _ test: @escaping @Sendable (ListeningServer) async throws -> Void
    ) async throws {
        var limits = CallLimits()
        (limits.registrationsPerMinute, limits.failedKeysPerMinute) = (1, 1)
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.0/8"))], header: header)
        try await ListeningServer.run(limits: limits, proxies: proxies, change: change, test)
    }

    /// Registers a phone, and expects a status; 0 is a connection that is closed without an answer.
    private static func expect(
        _ expected: Int, of server: ListeningServer, header: String = "", preface: [UInt8] = [],
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let body = Rig.registration("one")
        let head = server.registration("\(header)Connection: close\r\nContent-Length: \(body.utf8.count)")
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        try await server.connect { connection in
            // A connection may be closed before all is sent.
            try? await connection.send(preface + Array((head + body).utf8))
            answer.yield(Int(await connection.readToEnd().dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0)
        }
        let status = try #require(await answers.first { _ in true })
        #expect(status == expected, sourceLocation: location)
    }

    @Test(
        "Limits are those of the address that the proxy names",
        arguments: [
            (TrustedProxies.Header.forwardedFor, "X-Forwarded-For: ", "X-Forwarded-For: 198.51.100.1, "),
            (.forwarded, "Forwarded: for=", "Forwarded: for=rubbish, for="),
        ])
    func limits(header: TrustedProxies.Header, plain: String, spoiled: String) async throws {
        try await run(header) { server in
            try await Self.expect(201, of: server, header: plain + "203.0.113.7\r\n")
            try await Self.expect(429, of: server, header: plain + "203.0.113.7\r\n")
            try await Self.expect(429, of: server, header: spoiled + "203.0.113.7\r\n")
            try await Self.expect(409, of: server, header: plain + "203.0.113.8\r\n")
            // The proxy's own calls have no limit.
            for _ in 1...3 { try await Self.expect(409, of: server) }
        }
    }

    @Test func `A registration over the limit is refused before its body`() async throws {
        try await run(.forwardedFor) { server in
            try await Self.expect(201, of: server, header: "X-Forwarded-For: 203.0.113.7\r\n")
            try await server.connect { connection in
                try await connection.send(
                    server.registration("X-Forwarded-For: 203.0.113.7\r\nContent-Length: 2000"))
                #expect(await connection.readToEnd().contains(#""code":"tooManyRegistrations""#))
            }
        }
    }

    @Test func `Unknown keys count for the address that shows them`() async throws {
        try await run(.forwardedFor) { server in
            for (address, status) in [("203.0.113.7", "401"), ("203.0.113.7", "429"), ("203.0.113.8", "401")] {
                try await server.connect { connection in
                    try await connection.send(
                        "GET /v1/apps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer eyot_sk_none\r\n"
                            + "X-Forwarded-For: \(address)\r\nConnection: close\r\n\r\n")
                    #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 \(status)"))
                }
            }
        }
    }

    @Test func `A proxy's connection counts for the caller whose request it carries`() async throws {
        try await run(.forwardedFor, change: Self.onePerAddress) { server in
            try await server.connect { first in
                let waits = "X-Forwarded-For: 203.0.113.7\r\nContent-Length: 9\r\nExpect: 100-continue"
                try await first.send(server.registration(waits))
                #expect(try await first.read(until: "100 Continue\r\n\r\n") != nil)
                try await Self.expectHealth("203.0.113.7", "503", server)
                try await Self.expectHealth("203.0.113.8", "200", server)
                #expect(server.refusals.sums == [.connectionsPerAddress: 1])
                try await first.send("123456789")
                #expect(try await first.read(until: "}") != nil)
                try await Self.expectHealth("203.0.113.7", "200", server)
            }
        }
    }

    private static func expectHealth(_ address: String, _ status: String, _ server: ListeningServer) async throws {
        try await server.connect { connection in
            try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(address)\r\n\r\n")
            #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 \(status)") == true)
        }
    }

    @Test func `The PROXY protocol names the caller of a connection`() async throws {
        try await run(.proxyV2) { server in
            let caller = ProxyV2HeaderTests.header(0x21, 0x11, ProxyV2HeaderTests.four)
            try await Self.expect(201, of: server, preface: caller)
            try await Self.expect(429, of: server, preface: caller)
            // What the caller writes is not believed beside it.
            try await Self.expect(429, of: server, header: "X-Forwarded-For: 203.0.113.9\r\n", preface: caller)
            let local = ProxyV2HeaderTests.header(0x20, 0, [])
            for _ in 1...2 { try await Self.expect(409, of: server, preface: local) }
            try await Self.expect(0, of: server)
            #expect(server.refusals.sums == [.malformed: 1])
        }
    }

    @Test func `The PROXY protocol's connections count for their caller`() async throws {
        try await run(.proxyV2, change: Self.onePerAddress) { server in
            let caller = ProxyV2HeaderTests.header(0x21, 0x11, ProxyV2HeaderTests.four)
            try await server.connect { first in
                let waits = server.registration("Content-Length: 9\r\nExpect: 100-continue")
                // Byte by byte: the header is read however it comes.
                for byte in caller { try await first.send([byte]) }
                try await first.send(waits)
                #expect(try await first.read(until: "100 Continue\r\n\r\n") != nil)
                try await Self.expect(0, of: server, preface: caller)
                #expect(server.refusals.sums == [.connectionsPerAddress: 1])
            }
        }
    }
}
