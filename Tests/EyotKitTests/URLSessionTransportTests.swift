import EyotContract
import EyotKit
import Foundation
import Testing

@Suite("Real HTTP", .timeLimit(.minutes(10)))
struct URLSessionTransportTests {
    @Test func `carries body and bearer there, and status, body and pause back`() async throws {
        let answer = "HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
        let server = try #require(OneAnswerServer(answer: answer))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/device/changes"))
        let got = try await URLSessionTransport().post(
            Array(#"{"epoch":1}"#.utf8), to: url, bearer: "secret-1", secret: "secret-2")
        #expect(got.status == 429)
        #expect(got.retryAfter == 7)
        #expect(got.body == Array("{}".utf8))
        let request = await server.request
        #expect(request.hasPrefix("POST /v1/device/changes HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer secret-1\r\n"))
        #expect(request.contains("\(DeviceHeader.secret): secret-2\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"epoch":1}"#))
    }

    @Test func `does not take an answer without end`() async throws {
        let body = String(repeating: "x", count: TransportAnswer.bodyLimit + 1)
        let server = try #require(
            OneAnswerServer(
                answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n\(body)"))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        await #expect(throws: (any Error).self) {
            try await URLSessionTransport().post([], to: url, bearer: "s", secret: nil)
        }
    }

    @Test func `throws where nobody listens`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        await #expect(throws: (any Error).self) {
            try await URLSessionTransport().post([], to: url, bearer: "s", secret: nil)
        }
    }
}
