import EyotCommands
import EyotHTTP
import EyotTestKit
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Testing

/// The API on a real socket, on the loopback.
@Suite("The listener")
struct ServerTests {
    private func run(
        headerBytes: Int? = nil, _ test: @escaping @Sendable (TestClient) async throws -> Void
    ) async throws {
        try await ListeningServer.run(headerBytes: headerBytes) { port in
            try await TestClient.withClient(host: "127.0.0.1", port: port) { try await test($0) }
        }
    }

    @Test func `It answers at a port that the system chooses, and stops when it is told to`() async throws {
        try await run { client in
            let first = try await client.get("/healthz")
            #expect(first.status == .ok)
            #expect(first.headers[.contentType] == "application/json")
            // The same connection goes on after an error.
            let second = try await client.get("/nothing")
            #expect(second.status == .notFound)
            let third = try await client.get("/readyz")
            #expect(third.status == .ok)
        }
    }

    @Test func `A body that is refused does not spoil the connection`() async throws {
        try await run { client in
            let body = ByteBuffer(repeating: 0x20, count: 3_000_000)
            let refused = try await client.post("/v1/apps", body: body)
            #expect(refused.status == .unauthorized)
            let next = try await client.get("/healthz")
            #expect(next.status == .ok)
        }
    }

    @Test func `Headers over the limit are refused`() async throws {
        try await run(headerBytes: 1_024) { client in
            let name = try #require(HTTPField.Name("X-Long"))
            let fits = try await client.get("/healthz", headers: [name: String(repeating: "a", count: 500)])
            #expect(fits.status == .ok)
            let refused = try await client.get("/healthz", headers: [name: String(repeating: "a", count: 2_000)])
            #expect(refused.status == .badRequest)
        }
    }
}
