import Testing

/// The API on a real socket, on the loopback.
@Suite("The listener", .timeLimit(.minutes(10)))
struct ServerTests {
    private static func request(_ path: String, method: String = "GET", _ headers: String = "", body: String = "")
        -> String
    {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    @Test func `It answers at a port that the system chooses, and stops when it is told to`() async throws {
        try await ListeningServer.run { port in
            try await RawConnection.open(port: port) { connection in
                // The same connection goes on after an error.
                for (path, status, end) in [("/healthz", 200, "}"), ("/nothing", 404, "}"), ("/readyz", 200, "}}")] {
                    try await connection.send(Self.request(path))
                    #expect(try await connection.read(until: end)?.hasPrefix("HTTP/1.1 \(status)") == true)
                }
            }
        }
    }

    @Test func `A body that is refused does not spoil the connection if it has come`() async throws {
        try await ListeningServer.run { port in
            try await RawConnection.open(port: port) { connection in
                let body = String(repeating: " ", count: 1_000)
                try await connection.send(Self.request("/v1/apps", method: "POST", body: body))
                #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 401") == true)
                try await connection.send(Self.request("/healthz"))
                #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 200") == true)
            }
        }
    }

    @Test func `Headers over the limit are refused`() async throws {
        try await ListeningServer.run(headerBytes: 1_024) { port in
            for (length, status) in [(500, "200"), (2_000, "400")] {
                try await RawConnection.open(port: port) { connection in
                    let header = "X-Long: \(String(repeating: "a", count: length))\r\n"
                    try await connection.send(Self.request("/healthz", header))
                    #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 \(status)") == true)
                }
            }
        }
    }
}
