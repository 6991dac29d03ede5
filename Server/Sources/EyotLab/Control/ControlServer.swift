import EyotContract
import Foundation
import HTTPConnections
import HTTPTypes
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
            let access = access
            let facts = ControlAccess.Request(request)
            let wall = WallResponses(lab: lab, access: access)
            if let response = try await wall.response(to: request, facts) { return response }
            try access.check(facts)
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

    private var access: ControlAccess {
        let (secret, control) = lab.inner.withLock { ($0.secrets.controlSecret, $0.control) }
        return ControlAccess(
            secret: secret, cookie: Lab.wallCookie(of: secret),
            cookieName: "eyot-wall-\(control.split(separator: ":").last ?? "")")
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

extension ControlAccess.Request {
    /// Reads what decides from the headers.
    init(_ request: Request) {
        self.init(
            method: request.method.rawValue, authority: request.head.authority, origin: request.headers[.origin],
            authorization: request.headers[.authorization], cookie: request.headers[.cookie],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] })
    }
}
