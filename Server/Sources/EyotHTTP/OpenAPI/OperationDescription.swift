import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// One operation of the description.
struct OperationDescription {
    let route: Route
    let vendors: [Vendor]

    private var vendor: Vendor? { vendors[route.plane.keys] }

    /// The note on the route. A route without one gets a minimal note.
    var note: OperationNote {
        route.note ?? Self.notes[title]
            ?? OperationNote(title, answers: [OperationNote.Success(200, Shape.anyObject)])
    }

    /// The method and the path pattern.
    var title: String { "\(route.method.rawValue) \(route.path)" }

    /// The notes on Eyot's own routes, by method and path pattern.
    static let notes: [String: OperationNote] = [
        appNotes, peopleNotes, activityNotes, deviceNotes, eventNotes, eventInsightNotes, webhookNotes, reportNotes,
        insightNotes, pushNotes, overviewNotes,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    var json: JSONValue {
        let note = note
        var object = JSONObject([
            ("operationId", .string(id)), ("summary", .string(note.summary)), ("tags", .array([.string(tag)])),
        ])
        let parameters = parameters
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        object["security"] = .array(security)
        if let scopes = route.access.scopes {
            object["x-eyot-scopes"] = .array(scopes.map { .string($0.rawValue) })
        }
        object["requestBody"] = requestBody
        object["responses"] = responses
        if note.refusals == nil { object["x-eyot-codes"] = .array(codes.map { .string($0.rawValue) }) }
        return .object(object)
    }

    // MARK: Who

    /// Groups of Eyot's own routes. Each vendor's routes are a group with the vendor's name.
    static let tags: [(name: String, sentence: String)] = [
        ("control", "For backends and operators."), ("device", "What phones ask; the SDKs speak it."),
        ("operations", "Of the server itself, and what needs no key."),
    ]

    var tag: String {
        if route.plane.keys != .eyot { return route.plane.keys.rawValue }
        return switch route.access {
        case .anybody: "operations"
        case .appKey, .deviceSecret: "device"
        case .scopedKey, .scopedOperatorKey: "control"
        }
    }

    private var security: [JSONValue] {
        switch (route.access, vendor) {
        case (.anybody, let vendor): vendor?.openSecurity ?? []
        case (.appKey, _): [["appKey": []]]
        case (.deviceSecret, _): [["deviceSecret": []]]
        case (_, let vendor?): vendor.security
        case (.scopedOperatorKey, nil): [["operatorKey": []]]
        case (.scopedKey, nil): [["apiKey": []], ["operatorKey": []]]
        }
    }

    // MARK: What goes in

    private var parameters: [JSONValue] {
        let path = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment -> JSONValue in
            let name = String(segment.dropFirst().dropLast())
            return parameter(name, "path", Self.shape(of: name), example: pathExample(of: name))
        }
        let query = route.query.sorted().map { parameter($0, "query", queryShape(of: $0)) }
        return path + query + headers
    }

    private func parameter(
        _ name: String, _ place: String, _ shape: JSONValue, example: String? = nil, words: String? = nil
    ) -> JSONValue {
        var object = JSONObject([("name", .string(name)), ("in", .string(place))])
        object["description"] = words.map(JSONValue.string)
        if place == "path" { object["required"] = true }
        object["schema"] = shape
        object["example"] = example.map(JSONValue.string)
        return .object(object)
    }

    private var headers: [JSONValue] {
        var headers: [JSONValue] = []
        func add(_ name: String, _ words: String) {
            headers.append(parameter(name, "header", Shape.text, words: words))
        }
        if route.takesIdempotencyKey {
            add(
                "Idempotency-Key", "1 to 255 visible ASCII characters that tell this request from others, for 24 hours."
            )
        }
        if note.isConditional {
            add("If-Match", "The entity tag that the caller has seen, a version alone, or *.")
            add("If-None-Match", "* alone: only where no activity of this name runs.")
        }
        if case .scopedKey = route.access, route.plane.keys == .eyot, !route.path.contains("{bundleID}") {
            add("Eyot-App", "The bundle id of the app that the call is about, with the operator's key.")
        }
        if route.path == DeviceRoute.register.rawValue {
            add("Eyot-Device-Secret", "The secret of an installation that registers again.")
        }
        if route.access.scopes != nil { for header in vendor?.headers ?? [] { add(header.name, header.sentence) } }
        return headers
    }

    private static func shape(of name: String) -> JSONValue {
        switch name {
        case "environment": Shape.word("sandbox", "production")
        case "code": Shape.word(EyotError.Code.allCases.map(\.rawValue))
        case "kind": Shape.word(EventKind.allCases.map(\.rawValue))
        default: ["type": "string", "minLength": 1]
        }
    }

    /// The most rows of a page, where it is not a thousand.
    private static let pageLimits = ["/v1/activities": 100, "/v1/events": 10_000]

    private func queryShape(of name: String) -> JSONValue {
        switch name {
        case "limit": Shape.integer(1...(Self.pageLimits[route.path] ?? 1_000))
        case Call.dryRun: Shape.flag
        case "generation": Shape.integer(1...Int(Int32.max) - 1)
        case "format": Shape.word("json", "csv")
        case "outcome": Shape.word(VersionFate.words)
        case "by": Shape.word(CountDimension.allCases.map(\.rawValue))
        case "bucket" where route.path.hasSuffix("/adoption"): Shape.word(Adoption.Bucket.allCases.map(\.rawValue))
        case "bucket": Shape.word(EventInsight.Bucket.allCases.map(\.rawValue))
        default: Shape.text
        }
    }

    /// Returns the example of a path parameter, as the documentation uses it.
    private func pathExample(of name: String) -> String {
        switch name {
        case "bundleID": "org.example.worldcup"
        case "environment": "sandbox"
        case "code": "payloadTooLarge"
        case "plane": "control"
        case "externalID": "user-1"
        case "type": "MatchAttributes"
        case "build": "0.9 (1)"
        case "event", "version": "1"
        case "kind": "card.dismissed"
        case "id": route.path.hasPrefix("/v1/identity") ? "2026-11" : "1"
        default:
            switch route.path.split(separator: "/").dropFirst().first {
            case "segments": "early-birds"
            case "definitions": "goal"
            case "test-devices": "my phone"
            default: "final-2022"
            }
        }
    }

    /// The content types that a route's body may have.
    private var bodyTypes: [String] { (route.bodyTypes ?? route.plane.bodyTypes).sorted() }

    private var requestBody: JSONValue? {
        guard route.bodyLimit != nil else { return nil }
        let note = note
        let shape = note.takes ?? Shape.anyObject
        let content = bodyTypes.map { type -> (String, JSONValue) in
            // The schema of a line stands under `x-eyot-line`, because the body as a whole is text.
            if type == BodyReader.lines {
                let line = (Self.example(of: lineShape) ?? .null).text + "\n"
                return (type, ["schema": Shape.text, "x-eyot-line": lineShape, "example": .string(line)])
            }
            var media = JSONObject([("schema", shape)])
            media["example"] = note.example ?? Self.example(of: shape)
            return (type, .object(media))
        }
        return ["required": true, "content": .object(JSONObject(content))]
    }

    /// An example body that can be sent.
    var bodyExample: JSONValue? {
        guard route.bodyLimit != nil else { return nil }
        if bodyTypes == [BodyReader.lines] { return Self.example(of: lineShape) }
        return note.example ?? note.takes.flatMap { Self.example(of: $0) }
    }

    private var lineShape: JSONValue {
        switch route.path {
        case "/v1/users/bulk": Shape.named("UserLine")
        case "/v1/devices/bulk": Shape.named("DeviceLine")
        case "/v1/tokens/import": Shape.named("ImportedToken")
        default: Shape.named("DeclarationLine")
        }
    }

    /// Returns the example of a shape.
    static func example(of shape: JSONValue) -> JSONValue? {
        if let name = shape.object?["$ref"]?.string?.split(separator: "/").last {
            return APIDescription.schemas.first { $0.0 == name }?.1.object?["examples"]?.array?.first
        }
        return shape.object?["examples"]?.array?.first
    }
}
