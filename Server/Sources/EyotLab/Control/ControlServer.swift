import EyotContract
import Foundation
import HTTPConnections
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The lab's control API over HTTP, on loopback.
struct ControlServer: Sendable {
    /// The most bytes of a request's body.
    static let bodyLimit = 1_048_576

    let lab: Lab

    /// Listens, answers in a task of the group, and returns the base URL.
    func start(in group: inout ThrowingTaskGroup<Void, any Error>) async throws -> String {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "lab-control")
        // Clients receive their own errors, and a connection that is cut at the end is no error.
        logger.logLevel = .critical
        let application = Application(
            responder: ControlResponder(lab: lab),
            server: HTTPServerBuilder { PlainHTTPChannel(HTTP1Channel(responder: $0)) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            },
            logger: logger)
        group.addTask {
            // Ends the wait below if the server cannot listen.
            defer { port.finish() }
            try await application.run()
        }
        for await port in ports where port > 0 { return "http://127.0.0.1:\(port)" }
        throw LabError.server("the control API found no port to listen on")
    }
}

/// The responder that authenticates requests, reads them and writes the answers.
struct ControlResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let lab: Lab

    func respond(to request: Request, context: Context) async throws -> Response {
        let answer: ControlAnswer
        do {
            try check(request)
            answer = try await ControlRoutes(lab: lab).answer(try await controlRequest(request))
        } catch let problem as ControlProblem {
            answer = ControlAnswer(problem)
        } catch let error as LabError {
            answer = ControlAnswer(ControlProblem(error))
        } catch let error as JSONFieldError {
            answer = ControlAnswer(ControlProblem(422, "fieldInvalid", "\(error)", field: error.path))
        }
        let body = ByteBuffer(bytes: answer.body.utf8)
        let type = answer.status < 400 ? "application/json" : "application/problem+json"
        return Response(
            status: .init(code: answer.status), headers: [.contentType: type], body: ResponseBody(byteBuffer: body))
    }

    /// Checks the origin, the host and the secret. A web page in a local browser must not control the lab: it sends an
    /// origin, or another host's name.
    private func check(_ request: Request) throws(ControlProblem) {
        guard request.headers[.origin] == nil else {
            throw ControlProblem(403, "originForbidden", "requests from web pages are not taken")
        }
        let host = request.head.authority?.split(separator: ":").first.map(String.init)
        guard let host, ["127.0.0.1", "localhost"].contains(host) else {
            throw ControlProblem(403, "hostForbidden", "the request must name 127.0.0.1 or localhost as its host")
        }
        let given = Array((request.headers[.authorization] ?? "").utf8)
        guard Self.areEqual(given, Array("Bearer \(lab.controlSecret)".utf8)) else {
            throw ControlProblem(401, "secretInvalid", "send Authorization: Bearer and the lab's controlSecret")
        }
    }

    /// Compares in constant time.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func controlRequest(_ request: Request) async throws -> ControlRequest {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: ControlServer.bodyLimit)
        } catch {
            throw ControlProblem(413, "bodyTooLarge", "a body may have \(ControlServer.bodyLimit) bytes")
        }
        var body = JSONValue.object(JSONObject())
        if buffer.readableBytes > 0 {
            do {
                body = try JSONValue(parsing: buffer.readableBytesView)
            } catch {
                throw ControlProblem(400, "jsonInvalid", "\(error)")
            }
        }
        let path = request.uri.path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
        let query = Dictionary(
            request.uri.queryParameters.map { (String($0.key), String($0.value)) }, uniquingKeysWith: { $1 })
        return ControlRequest(method: request.method.rawValue, path: path, query: query, body: body)
    }
}
