import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import HTTPTypes
import Testing

@testable import EyotHTTP

/// The description against the routes, the readers and the answers.
@Suite struct `The description of the API` {
    private static let routes: [Route] = {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        return API.routes(backend, CallGate(CallLimits()), vendors: Vendors.all)
    }()
    private static let document = APIDescription(routes: routes, vendors: Vendors.all).json
    private static let check = ShapeCheck(document: document)

    private static func operation(_ route: Route) -> JSONObject? {
        document.object?["paths"]?.object?[route.path]?.object?[route.method.rawValue.lowercased()]?.object
    }

    @Test func `It is answered to anybody, and describes every route and nothing else`() async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.get, "/openapi.json", key: nil)
            #expect(reply.status == 200)
            #expect(reply["openapi"]?.string == "3.1.0")
            let described = reply["paths"]?.object?.members.flatMap { path in
                (path.value.object?.members ?? []).map { "\($0.name.uppercased()) \(path.name)" }
            }
            #expect(Set(described ?? []) == Set(Self.routes.map { "\($0.method.rawValue) \($0.path)" }))
            #expect(described?.count == Self.routes.count)
            #expect(reply.json == Self.document)
        }
    }

    @Test func `Each plane has a document of its own, and together they have all operations`() async throws {
        try await Rig.run { rig in
            var described: [String] = []
            for plane in ["control", "device"] + Vendors.all.map(\.name) {
                let reply = try await rig.call(.get, "/openapi/\(plane)", key: nil)
                #expect(reply.status == 200)
                let paths = try #require(reply["paths"]?.object)
                #expect(!paths.members.isEmpty, "\(plane)")
                for path in paths.members {
                    #expect(Self.document.object?["paths"]?.object?[path.name]?.object != nil, "\(path.name)")
                    described += (path.value.object?.members ?? []).map { "\($0.name) \(path.name)" }
                }
                let components = try #require(reply["components"]?.object)
                for reference in reply.text.matches(of: #/"#/components/(\w+)/([\w-]+)"/#) {
                    let (kind, name) = (String(reference.1), String(reference.2))
                    #expect(components[kind]?.object?[name] != nil, "\(plane) lacks \(kind)/\(name)")
                }
            }
            #expect(Set(described).count == described.count)
            #expect(described.count == Self.routes.count)
            let unknown = try await rig.call(.get, "/openapi/acme", key: nil)
            #expect((unknown.status, unknown.code) == (404, "routeUnknown"))
        }
    }

    @Test func `Every route has a note, every note a route, and every shape a use`() throws {
        let titles = Set(Self.routes.filter { $0.note == nil }.map { "\($0.method.rawValue) \($0.path)" })
        #expect(titles == Set(OperationDescription.notes.keys))
        #expect(Self.routes.allSatisfy { $0.note != nil || $0.plane.keys == .eyot })
        let text = Self.document.text
        for (name, _) in APIDescription.schemas { #expect(text.contains("/schemas/\(name)\""), "\(name)") }
        #expect(Set(APIDescription.schemas.map(\.0)).count == APIDescription.schemas.count)
        let ids = Self.routes.compactMap { Self.operation($0)?["operationId"]?.string }
        #expect(Set(ids).count == Self.routes.count)
        #expect(Set(OperationDescription.ids.keys) == Set(OperationDescription.notes.keys), "an id for each route")
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]+/) != nil }, "\(ids)")
    }

    @Test func `Each operation says what its route takes, and answers each of its codes by the catalogue's status`() {
        for route in Self.routes {
            guard let operation = Self.operation(route) else { continue }
            let title = "\(route.method.rawValue) \(route.path)"
            #expect(operation["summary"]?.string?.isEmpty == false, "\(title)")
            let scopes = operation["x-eyot-scopes"]?.array?.compactMap(\.string) ?? []
            #expect(scopes == (route.access.scopes ?? []).map(\.rawValue), "\(title)")
            func names(_ place: String) -> Set<String> {
                let all = operation["parameters"]?.array?.compactMap(\.object) ?? []
                return Set(all.filter { $0["in"]?.string == place }.compactMap { $0["name"]?.string })
            }
            #expect(names("query") == route.query, "\(title)")
            let segments = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(names("path") == Set(segments.map { String($0.dropFirst().dropLast()) }), "\(title)")
            let types = operation["requestBody"]?.object?["content"]?.object?.members.map(\.name)
            #expect(
                types.map(Set.init) == (route.bodyLimit == nil ? nil : route.bodyTypes ?? route.plane.bodyTypes),
                "\(title)")
            let statuses = operation["responses"]?.object?.members.map(\.name) ?? []
            for code in operation["x-eyot-codes"]?.array?.compactMap(\.string) ?? [] {
                let status = EyotError.Code(rawValue: code)?.status
                #expect(status.map { statuses.contains("\($0)") } == true, "\(title) \(code)")
            }
        }
    }

    @Test func `The examples of shapes fit them`() {
        for (name, shape) in APIDescription.schemas {
            for example in shape.object?["examples"]?.array ?? [] {
                #expect(Self.check.faults(of: example, against: shape) == [], "\(name)")
            }
        }
    }

    /// Places of members without a description, in a shape and in the shapes inside it.
    private static func undescribed(_ shape: JSONValue, at place: String) -> [String] {
        guard let words = shape.object else { return [] }
        var places: [String] = []
        for member in words["properties"]?.object?.members ?? [] {
            let inner = "\(place).\(member.name)"
            if member.value.object?["description"]?.string?.isEmpty != false { places.append(inner) }
            places += undescribed(member.value, at: inner)
        }
        let inside = ["items", "additionalProperties"].compactMap { words[$0] } + (words["anyOf"]?.array ?? [])
        return places + inside.flatMap { undescribed($0, at: place) }
    }

    @Test func `Every member of a shape has a meaning`() throws {
        let bare: JSONValue = [
            "properties": [
                "described": ["description": "It has a meaning.", "items": ["properties": ["listed": [:]]]],
                "empty": ["description": "", "anyOf": [["properties": ["either": [:]]]]],
                "map": ["additionalProperties": ["properties": ["named": ["type": "string"]]]],
            ]
        ]
        let found = Self.undescribed(bare, at: "Bare")
        let places = ["described.listed", "empty", "empty.either", "map", "map.named"].map { "Bare.\($0)" }
        #expect(found == places, "the check itself")
        let schemas = try #require(Self.document.object?["components"]?.object?["schemas"]?.object)
        #expect(!schemas.members.isEmpty)
        for schema in schemas.members {
            #expect(Self.undescribed(schema.value, at: schema.name) == [], "members without a meaning")
        }
    }

    // MARK: Bodies

    private static func shape(_ route: Route) -> JSONObject? {
        let media = operation(route)?["requestBody"]?.object?["content"]?.object?["application/json"]
        guard route.plane.keys == .eyot, let shape = media?.object?["schema"] else { return nil }
        return check.resolved(shape).object
    }

    /// A value that fits a shape for readers that do not know its place yet.
    private static func value(_ shape: JSONValue) -> JSONValue {
        let words = check.resolved(shape).object
        if let first = words?["enum"]?.array?.first ?? words?["const"] { return first }
        if let first = words?["anyOf"]?.array?.first { return value(first) }
        return switch words?["type"]?.string {
        case "string": .string(words?["format"] == nil ? "1.0" : "2022-12-18T16:00:00Z")
        case "integer", "number": .integer(words?["minimum"]?.integer ?? 1)
        case "boolean": true
        case "array": []
        default: [:]
        }
    }

    @Test(arguments: routes.filter { shape($0)?["properties"] != nil }.map { "\($0.method.rawValue) \($0.path)" })
    func `The members of a body are those that its reader knows`(title: String) async throws {
        let route = try #require(Self.routes.first { "\($0.method.rawValue) \($0.path)" == title })
        let properties = try #require(Self.shape(route)?["properties"]?.object)
        let example = try #require(OperationDescription(route: route, vendors: Vendors.all).bodyExample?.object)
        try await Rig.run { rig in
            let world = try await DescribedWorld.prepare(rig)
            func refusal(_ name: String, _ value: JSONValue) async throws -> Reply {
                var body = example
                body[name] = value
                if name == "parameters", properties["definition"] != nil { body["definition"] = "goal" }
                return try await world.call(route, body: JSONValue.object(body).text, rig)
            }
            for (name, shape) in properties.members.map({ ($0.name, $0.value) }) {
                let isList = shape.object?["type"]?.string == "array"
                let reply = try await refusal(name, isList ? ["no": "list"] : [[[]]])
                #expect(reply.status == 422 && reply.code != "fieldUnknown", "\(name): \(reply.text)")
                #expect(reply.field?.hasPrefix(name) == true, "\(name): \(reply.text)")
            }
            var others: [String: JSONValue] = ["noSuchMember": true]
            for other in Self.routes {
                for member in Self.shape(other)?["properties"]?.object?.members ?? []
                where properties[member.name] == nil { others[member.name] = member.value }
            }
            for (name, shape) in others {
                let reply = try await refusal(name, Self.value(shape))
                let isOutOfPlace = reply["detail"]?.string?.contains("\(name) is not for ") == true
                #expect(reply.code == "fieldUnknown" || isOutOfPlace, "\(name): \(reply.text)")
                #expect(reply.field == name, "\(reply.text)")
            }
        }
    }

    // MARK: Answers

    /// Operations that refuse their example. It names a key, channel or delivery that does not exist or an activity
    /// without participants, or asks about no key. Otherwise the app requires no proofs, or its cards still run.
    private static let refused: Set<String> = [
        "GET /v1/requests/{id}", "DELETE /v1/apps/{bundleID}", "PUT /v1/apps/{bundleID}/apns-keys/{environment}",
        "PUT /v1/identity/keys/{id}",
        "POST /v1/device/channel", "GET /v1/why", "POST /v1/raw-pushes", "POST /v1/activities/{name}/unwatch",
        "DELETE /v1/identity/keys/{id}", "POST /v1/identity/drop-unproven", "POST /api/v1/live-activity/start",
        "POST /api/v1/live-activity/update",
        "POST /api/v1/live-activity/end", "POST /api/v1/live-activity/add-users",
        "POST /api/v1/live-activity/remove-users", "POST /rest/3.0/sendNotification",
        "POST /v1/webhooks/{id}/deliveries/{event}/retry", "GET /rest/3.0/getPushStats", "GET /rest/3.0/getPushResult",
    ]

    private static func faults(_ reply: Reply, _ operation: JSONObject) -> [String] {
        guard let found = operation["responses"]?.object?["\(reply.status)"] else {
            return ["\(reply.status) is not described: \(reply.text)"]
        }
        guard let content = check.resolved(found).object?["content"]?.object else {
            return reply.text.isEmpty ? [] : ["there should be no body: \(reply.text)"]
        }
        let type = reply.headers[.contentType] ?? ""
        guard let media = content[type]?.object, let shape = media["schema"] else { return ["it is \(type)"] }
        if let line = media["x-eyot-line"] {
            return reply.text.split(separator: "\n").flatMap { text in
                (try? JSONValue(parsing: Array(text.utf8))).map { check.faults(of: $0, against: line) } ?? ["no JSON"]
            }
        }
        if type.hasPrefix("text/plain") { return check.faults(of: .string(reply.text), against: shape) }
        // A vendor may answer nothing to a key that is none.
        guard let json = reply.json else { return reply.text.isEmpty ? [] : ["no JSON: \(reply.text)"] }
        return check.faults(of: json, against: shape).map { "\($0) in \(reply.text)" }
    }

    @Test(arguments: routes.map { "\($0.method.rawValue) \($0.path)" })
    func `An example is answered as it is described`(title: String) async throws {
        let route = try #require(Self.routes.first { "\($0.method.rawValue) \($0.path)" == title })
        let operation = try #require(Self.operation(route))
        try await Rig.run { rig in
            let world = try await DescribedWorld.prepare(rig)
            let nobody = try await world.call(route, key: nil, rig)
            #expect(Self.faults(nobody, operation) == [], "without a key")
            let reply = try await world.call(route, rig)
            #expect(Self.faults(reply, operation) == [])
            #expect(Self.refused.contains(title) || (200..<300).contains(reply.status), "\(reply.status) \(reply.text)")
            if route.query.contains("dryRun") {
                let tried = try await world.call(route, query: "?dryRun=true", rig)
                #expect(Self.faults(tried, operation) == [], "a dry run")
            }
            let wrong = try await world.call(route, query: "?none=1", rig)
            #expect(Self.faults(wrong, operation) == [], "an unknown parameter")
        }
    }
}
