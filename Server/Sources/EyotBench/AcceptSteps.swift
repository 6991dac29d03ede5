import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The steps of a call. Each step does one thing more than the one before, so the difference of two costs is the cost
/// of that thing.
enum AcceptStep: String, Sendable, CaseIterable {
    /// The framework alone reads the call and its body and answers with a text.
    case hello
    /// The route is found, and the body is read as JSON.
    case read
    /// The key is looked up, and the call is counted for the limits.
    case known
    /// The call gets a turn on the writer, and nothing is written.
    case queued
    /// The update is carried out and undone.
    case undone
    /// The update is committed: updates of very many activities.
    case many
    /// The update is committed: updates of one activity.
    case one
    /// The update is committed: updates of very many activities by Braze's API.
    case braze

    /// Whether the calls update an activity.
    var isAccepted: Bool {
        switch self {
        case .many, .one, .braze: true
        case .hello, .read, .known, .queued, .undone: false
        }
    }
}

/// Routes that carry out a part of an update.
struct AcceptRoutes {
    let backend: Backend

    var routes: [Route] {
        let plane = BenchPlane()
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
                let declare = try await backend.commands.prepare(body, call.request())
                _ = try await backend.store.tryOut(declare)
                return Self.accepted
            },
        ]
    }

    private static var accepted: Answer { Answer(.accepted, ["outcome": "applied"]) }

    private static func path(_ step: AcceptStep) -> String { "/bench/\(step.rawValue)/{name}" }
}
