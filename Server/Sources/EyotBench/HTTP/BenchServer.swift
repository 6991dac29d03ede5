import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes
import Hummingbird
import NIOCore

/// A plane for Eyot's own keys, on paths that exist only for measurements.
struct BenchPlane: Plane {
    let keys = KeyPlane.eyot
    let paths = ["/bench/"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        PresentedKey(secret: try bearer(in: headers))
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        Answer(problem.status, .string(problem.error.detail))
    }
}

/// A plain hello-world of the API's framework.
struct HelloWorld: HTTPResponder {
    typealias Context = BasicRequestContext

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        for try await _ in request.body {}
        return Response(
            status: .ok, headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "Hello, world!")))
    }
}
