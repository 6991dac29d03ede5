import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes
import Hummingbird
import NIOCore

/// How far a call goes: each step goes as far as the one before and does one thing more, so that what they cost apart is what that
/// thing costs.
enum AcceptStep: String, Sendable, CaseIterable {
    /// The framework alone, which reads the call and its body and answers with a text.
    case hello
    /// Found by its path, with its body read as JSON.
    case read
    /// With its key looked up, and counted for the limits.
    case known
    /// With a turn on the writer, and nothing written.
    case queued
    /// With the update carried out, and undone.
    case undone
    /// With the commit: updates of very many activities.
    case many
    /// Updates of one activity.
    case one
    /// Updates of very many activities by Braze's API.
    case braze

    /// Whether the calls update something.
    var isAccepted: Bool {
        switch self {
        case .many, .one, .braze: true
        case .hello, .read, .known, .queued, .undone: false
        }
    }
}

/// Routes that go part of the way of an update.
struct AcceptRoutes {
    let backend: Backend

    var routes: [Route] {
        let plane = AcceptPlane()
        return [
            .answer(.post, Self.path(.read), on: plane, .anybody) { call in
                _ = try call.json()
                return Self.accepted
            },
            .answer(.post, Self.path(.known), on: plane, .key(.activitiesUpdate)) { call in
                _ = try call.json()
                return Self.accepted
            },
            .post(Self.path(.queued), on: plane, .key(.activitiesUpdate)) { call in
                _ = try call.json()
                return { _ in Self.accepted }
            },
            .answer(.post, Self.path(.undone), on: plane, .key(.activitiesUpdate)) { call in
                let body = try DeclarationBody(json: call.json(), verb: .update, name: call.parameter("name"))
                let declare = try await backend.prepare(body, of: call.app.id, call)
                _ = try await backend.store.tryOut(declare)
                return Self.accepted
            },
        ]
    }

    private static var accepted: Answer { Answer(.accepted, ["outcome": "applied"]) }

    private static func path(_ step: AcceptStep) -> String { "/bench/\(step.rawValue)/{name}" }
}

/// Takes our own keys, on paths that are only there to be measured.
private struct AcceptPlane: Plane {
    let keys = KeyPlane.eyot
    let paths = ["/bench/"]

    func key(in headers: HTTPFields) throws(EyotError) -> PresentedKey {
        PresentedKey(secret: try bearer(in: headers))
    }

    func answer(to problem: Problem, body: [UInt8]) -> Answer {
        Answer(problem.status, .string(problem.error.detail))
    }
}

/// A bare hello-world of the framework that the API stands on.
struct HelloWorld: HTTPResponder {
    typealias Context = BasicRequestContext

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        for try await _ in request.body {}
        return Response(
            status: .ok, headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "Hello, world!")))
    }
}
