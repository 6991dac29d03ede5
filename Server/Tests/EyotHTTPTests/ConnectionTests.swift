import Testing

/// What clients do with a connection beside one request after the other.
@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
    private static let up = #"{"status":"up"}"#
    private static let plain = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "A connection goes on after a request that offers another protocol",
        arguments: [
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
            "connection: keep-alive\r\nConnection: upgrade\r\nupgrade: websocket\r\n", "Upgrade: h2c\r\n",
            "Connection: Upgrade\r\n",
        ])
    func goesOn(headers: String) async throws {
        try await ListeningServer.run { port in
            try await RawConnection.open(port: port) { connection in
                let offer = "GET /healthz HTTP/1.1\r\nHost: a\r\n\(headers)\r\n"
                for _ in 0..<3 {
                    try await connection.send(offer)
                    #expect(try await connection.read(until: Self.up)?.hasPrefix("HTTP/1.1 200") == true)
                }
                // Several at once, as one write.
                try await connection.send(offer + Self.plain + offer + Self.plain)
                for _ in 0..<4 {
                    #expect(try await connection.read(until: Self.up)?.hasPrefix("HTTP/1.1 200") == true)
                }
            }
        }
    }

    @Test func `A body of a request that offers another protocol is read whole`() async throws {
        try await ListeningServer.run { port in
            try await RawConnection.open(port: port) { connection in
                let head =
                    "POST /v1/apps HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 7\r\n\r\n"
                try await connection.send(head + "{\"a\":1}" + Self.plain)
                #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 401") == true)
                #expect(try await connection.read(until: Self.up)?.contains("HTTP/1.1 200") == true)
            }
        }
    }

    @Test func `A connection goes on after CONNECT`() async throws {
        try await ListeningServer.run { port in
            try await RawConnection.open(port: port) { connection in
                try await connection.send("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n" + Self.plain)
                #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 404") == true)
                #expect(try await connection.read(until: Self.up)?.contains("HTTP/1.1 200") == true)
            }
        }
    }

    @Test func `A client that waits for 100 Continue is answered before it sends the body`() async throws {
        try await ListeningServer.run(change: ListeningServer.unchanged) { server in
            try await server.connect { connection in
                let head = server.registration("Content-Length: 2\r\nExpect: 100-continue")
                // The answer to an earlier request comes first.
                try await connection.send(Self.plain + head)
                #expect(try await connection.read(until: Self.up)?.hasPrefix("HTTP/1.1 200") == true)
                #expect(try await connection.read(until: "HTTP/1.1 100 Continue\r\n\r\n") == "")
                try await connection.send("{}" + Self.plain)
                #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 422") == true)
                #expect(try await connection.read(until: Self.up)?.contains("HTTP/1.1 200") == true)
            }
        }
    }
}
