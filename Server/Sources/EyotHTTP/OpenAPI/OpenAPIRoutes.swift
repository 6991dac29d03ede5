import EyotContract
import EyotDomain
import Synchronization

/// Routes with the description of all routes, from which clients and tests can be generated.
struct OpenAPIRoutes {
    let described: [Route]
    let vendors: [Vendor]
    let build: BuildDescription

    /// The given routes, the route of the whole description, and one of a description for each plane.
    var all: [Route] {
        let whole = Route.get("/openapi.json", .anybody) { _ in Answer(.ok, nil) }
        let part = Route.get("/openapi/{plane}", .anybody) { _ in Answer(.ok, nil) }
        let routes = described + [whole, part]
        let document = Document(APIDescription(routes: routes, vendors: vendors, build: build))
        let parts = Dictionary(
            uniqueKeysWithValues: APIDescription.Part.all(vendors).map { part in
                (part.name, Document(APIDescription(routes: routes, vendors: vendors, build: build, part: part)))
            })
        return described + [
            .get(whole.path, whole.access) { _ in Answer(.ok, document.json, by: build) },
            .get(part.path, part.access) { call in
                let name = try call.parameter("plane")
                guard let document = parts[name] else {
                    throw EyotError(
                        .routeUnknown,
                        "plane \(name) has no description: use \(parts.keys.sorted().joined(separator: ", "))"
                    )
                }
                return Answer(.ok, document.json, by: build)
            },
        ]
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
