import EyotHTTP
import HTTPConnections
import Hummingbird
import Logging
import NIOCore
import Testing

/// What the listener refuses, on real connections.
@Suite("Limits of the listener", .timeLimit(.minutes(10)))
struct ListenerLimitTests {
    private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `A head that comes byte by byte is ended`() async throws {
        try await ListeningServer.run {
            $0.limits.headTime = .seconds(2)
            $0.headerBytes = 1 << 30
        } _: { server in
            var (answer, tries) = ("", 0)
            // On a busy machine the time may be over before the first byte. Such a connection gets no answer.
            while answer.isEmpty {
                try Task.checkCancellation()
                let (answers, given) = AsyncStream.makeStream(of: String.self)
                try await server.connect { connection in
                    try? await connection.send("GET /healthz HTTP/1.1\r\nX: ")
                    given.yield(await connection.readToEnd(trickling: "a"))
                }
                answer = await answers.first { _ in true } ?? ""
                tries += 1
            }
            #expect(answer.hasPrefix("HTTP/1.1 408"))
            #expect(answer.contains(#""code":"requestTimeout""#))
            #expect(server.refusals.sums == [.headTime: tries])
        }
    }

    @Test func `A body that comes byte by byte is ended, and a part of it is not taken for the whole`() async throws {
        let store = try await ListeningServer.run {
            $0.limits.bodyTime = .milliseconds(200)
        } _: { server in
            try await server.connect { connection in
                let whole = Rig.registration("one")
                let chunk = String(whole.utf8.count, radix: 16) + "\r\n" + whole + "\r\n"
                try await connection.send(server.registration("Transfer-Encoding: chunked") + chunk)
                #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 408"))
            }
            try await server.connect { connection in
                try await connection.send(server.registration("Content-Length: 200000"))
                #expect(await connection.readToEnd(trickling: " ").hasPrefix("HTTP/1.1 408"))
            }
            #expect(server.refusals.sums == [.bodyTime: 2])
        }
        let app = try #require(try await store.read { try $0.app(bundleID: "org.example.match") })
        let device = try await store.read { try $0.device(installation: "one", in: app.id) }
        #expect(device == nil)
    }

    @Test func `A connection on which nothing comes is closed, before a request and after one`() async throws {
        try await ListeningServer.run {
            $0.limits.headTime = .milliseconds(100)
        } _: { server in
            try await server.connect { #expect(await $0.readToEnd() == "") }
            #expect(server.refusals.sums == [.headTime: 1])
        }
        try await ListeningServer.run {
            $0.limits.idleTime = .milliseconds(100)
        } _: { server in
            try await server.connect { connection in
                try await connection.send(Self.health)
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                #expect(!answer.contains("408"))
            }
        }
    }

    @Test func `A request that is not answered in time is ended`() async throws {
        let refusals = Refusals()
        var settings = HTTPServer.Settings(host: "127.0.0.1", port: 0)
        settings.limits.requestTime = .milliseconds(200)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServer.application(
            SilentResponder(), settings: settings, guardedBy: settings.guarding(countingIn: refusals),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { port.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await server.run() }
            try await RawConnection.open(port: try #require(await ports.first { _ in true })) { connection in
                try await connection.send(Self.health)
                #expect(await connection.readToEnd() == "")
            }
            tasks.cancelAll()
        }
        #expect(refusals.sums == [.requestTime: 1])
    }

    @Test func `Health is answered when all places are taken, and nothing else`() async throws {
        try await ListeningServer.run {
            $0.limits.connections = 2
            $0.limits.reserve = 1
        } _: { server in
            try await server.connect { first in
                try await Self.hold(&first, at: server)
                try await server.connect { second in
                    try await Self.hold(&second, at: server)
                    try await Self.expectFull(server)
                }
            }
            // A place becomes free when the server has seen the end of its connection.
            while try await Self.ask("/nosuch", at: server).hasPrefix("HTTP/1.1 404") == false {}
        }
    }

    /// The seconds of an answer's `Retry-After`.
    private static func seconds(in answer: String) -> Int? {
        answer.split(separator: "\r\n").first { $0.hasPrefix("Retry-After: ") }
            .flatMap { Int($0.dropFirst("Retry-After: ".count)) }
    }

    /// Takes a place: the server waits for a body.
    private static func hold(_ connection: inout RawConnection, at server: ListeningServer) async throws {
        try await connection.send(server.registration("Content-Length: 9\r\nExpect: 100-continue"))
        #expect(try await connection.read(until: "100 Continue\r\n\r\n") != nil)
    }

    private static func ask(_ path: String, at server: ListeningServer) async throws -> String {
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        try await server.connect { connection in
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            answer.yield(await connection.readToEnd())
        }
        return await answers.first { _ in true } ?? ""
    }

    private static func expectFull(_ server: ListeningServer) async throws {
        for path in ["/healthz", "/readyz", "/healthz?a"] {
            var answer = ""
            // The reserve has one place, and the last connection may still have it.
            while answer.isEmpty { answer = try await ask(path, at: server) }
            #expect(answer.hasPrefix(path.contains("?") ? "HTTP/1.1 422" : "HTTP/1.1 200"))
            #expect(answer.lowercased().contains("connection: close"))
        }
        var answer = ""
        while answer.isEmpty { answer = try await ask("/v1/errors", at: server) }
        #expect(answer.hasPrefix("HTTP/1.1 503"))
        #expect(Self.seconds(in: answer).map(Problem.phonesRetryAfter.contains) == true)
        #expect(answer.contains(#""code":"unavailable""#))
        #expect(server.refusals.sums[.connections, default: 0] > 0)
    }

    @Test func `Beyond the limit of its address a connection is closed at once`() async throws {
        try await ListeningServer.run {
            $0.limits.connectionsPerAddress = 1
            $0.limits.limitsThisMachine = true
        } _: { server in
            try await server.connect { first in
                try await Self.hold(&first, at: server)
                try await server.connect { #expect(await $0.readToEnd() == "") }
                #expect(server.refusals.sums == [.connectionsPerAddress: 1])
            }
        }
    }

    @Test func `A connection ends after its answer when half of the places are taken`() async throws {
        try await ListeningServer.run {
            $0.limits.connections = 2
        } _: { server in
            try await server.connect { connection in
                try await connection.send(Self.health)
                #expect(await connection.readToEnd().contains("Connection: close"))
            }
        }
    }

    @Test(
        "The body of a refused request is not read",
        arguments: [
            ("POST /nosuch HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n", "404"),
            ("POST /v1/apps HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n", "401"),
            ("POST /v1/apps HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n", "401"),
            ("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n", "413"),
        ])
    func drainsNothing(head: String, status: String) async throws {
        try await ListeningServer.run(change: ListeningServer.unchanged) { server in
            try await server.connect { connection in
                try await connection.send(head)
                let answer = await connection.readToEnd(trickling: "a")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
                #expect(answer.contains("Connection: close\r\n"))
            }
            try await server.connect { connection in
                try await connection.send(server.registration("Content-Length: 2000000000"))
                let answer = await connection.readToEnd(trickling: "a")
                #expect(answer.hasPrefix("HTTP/1.1 413"))
                #expect(answer.contains("Connection: close\r\n"))
            }
        }
    }

    @Test(
        "A request of HTTP/1.1 has one Host header",
        arguments: [
            ("GET /healthz HTTP/1.1\r\n\r\n", "400"), ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
            ("GET /healthz HTTP/1.1\r\nhost: a\r\nHOST: a\r\n\r\n", "400"),
            ("GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "400"), ("GET /healthz HTTP/1.0\r\n\r\n", "200"),
        ])
    func host(request: String, status: String) async throws {
        try await ListeningServer.run(change: ListeningServer.unchanged) { server in
            try await server.connect { connection in
                try await connection.send(request)
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 \(status)") || answer.hasPrefix("HTTP/1.0 \(status)"))
                #expect(answer.contains(#""code":"hostInvalid""#) == (status == "400"))
            }
            // Behind another request it is answered in its turn.
            try await server.connect { connection in
                try await connection.send(Self.health + "GET /readyz HTTP/1.1\r\n\r\n" + Self.health)
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                #expect(answer.ranges(of: "HTTP/1.1 200").count == 1)
                #expect(answer.ranges(of: "HTTP/1.1 400").count == 1)
            }
        }
    }

    @Test func `Bytes that are no request are refused in the form of every error`() async throws {
        try await ListeningServer.run(change: ListeningServer.unchanged) { server in
            try await server.connect { connection in
                try await connection.send("what is this\r\n\r\n")
                #expect(await connection.readToEnd().contains(#""code":"requestMalformed""#))
                #expect(server.refusals.sums == [.malformed: 1])
            }
        }
    }

    @Test func `Bodies that do not fit into memory are refused, and what is held is released`() async throws {
        var limits = CallLimits()
        // Of which one network of one app's phones has an eighth.
        limits.bodyBytes = 8_000
        try await ListeningServer.run(limits: limits, change: ListeningServer.unchanged) { server in
            for _ in 1...3 {
                try await server.connect { connection in
                    let body = String(repeating: " ", count: 900) + "{}"
                    try await connection.send(server.registration("Content-Length: 902") + body)
                    #expect(try await connection.read(until: "}")?.hasPrefix("HTTP/1.1 422") == true)
                }
            }
            try await server.connect { connection in
                let body = String(repeating: " ", count: 2_000)
                try await connection.send(server.registration("Content-Length: 2000") + body)
                let answer = try await connection.read(until: "}")
                #expect(answer?.hasPrefix("HTTP/1.1 503") == true)
                #expect(answer.flatMap(Self.seconds).map(Problem.phonesRetryAfter.contains) == true)
                #expect(server.refusals.sums == [.bodyBytes: 1])
            }
        }
    }
}

/// Answers nothing.
private struct SilentResponder: HTTPResponder {
    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return Response(status: .ok)
    }
}
