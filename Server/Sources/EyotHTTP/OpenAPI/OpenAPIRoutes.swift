import EyotContract
import Synchronization

/// A route with the description of all routes, from which clients and tests can be generated.
struct OpenAPIRoutes {
    let described: [Route]

    /// The given routes and the route of the description itself.
    var all: [Route] {
        let own = Route.get("/openapi.json", .anybody) { _ in Answer(.ok, nil) }
        let document = Document(APIDescription(routes: described + [own]))
        return described + [.get(own.path, own.access) { _ in Answer(.ok, document.json) }]
    }

    /// The document. It is built at the first request and kept, because it does not change.
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
