import EyotContract
import Synchronization

/// The description of all routes, for whoever makes clients and tests from it.
struct OpenAPIRoutes {
    let described: [Route]

    /// What is described: those that were given, and its own.
    var all: [Route] {
        let own = Route.get("/openapi.json", .anybody) { _ in Answer(.ok, nil) }
        let document = Document(APIDescription(routes: described + [own]))
        return described + [.get(own.path, own.access) { _ in Answer(.ok, document.json) }]
    }

    /// Made when somebody asks, and kept: it does not change.
    private final class Document: Sendable {
        private let description: APIDescription
        private let made = Mutex<JSONValue?>(nil)

        init(_ description: APIDescription) { self.description = description }

        var json: JSONValue {
            made.withLock { made in
                if let made { return made }
                let json = description.json
                made = json
                return json
            }
        }
    }
}
