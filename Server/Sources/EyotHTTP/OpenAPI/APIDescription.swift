import EyotContract
import EyotDomain
import HTTPTypes

/// The description of the API in OpenAPI 3.1. The routes give paths, methods, keys, scopes, parameters and media types.
/// ``OperationNote`` adds text, shapes and examples.
struct APIDescription {
    let routes: [Route]
    let vendors: [Vendor]
    var build = BuildDescription()
    /// The part that the document is about; nil for all routes.
    var part: Part?

    var json: JSONValue {
        let paths = paths
        let components = JSONObject([
            ("securitySchemes", .object(JSONObject(securitySchemes))),
            ("schemas", .object(JSONObject(Self.schemas + keySchemas))), ("responses", Self.responses),
            ("headers", Self.headers),
        ])
        return [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": "/"]],
            "tags": .array(tags.map { ["name": .string($0.name), "description": .string($0.sentence)] }),
            "paths": .object(paths),
            "components": .object(part == nil ? components : Self.used(by: paths, of: components)),
        ]
    }

    private var info: JSONValue {
        var info = JSONObject([
            ("title", .string(part?.title ?? "Eyot")), ("version", .string(build.version)),
            ("summary", "Live Activities: the control plane, the device plane, and APIs of other vendors."),
            ("license", ["name": "Apache-2.0", "identifier": "Apache-2.0"]),
            ("x-eyot-commit", .string(build.commit)),
        ])
        info["x-eyot-schema"] = build.schema.map { .integer($0) }
        return .object(info)
    }

    private var paths: JSONObject {
        var paths = JSONObject()
        for route in routes {
            let operation = OperationDescription(route: route, vendors: vendors)
            if let part, !part.tags.contains(operation.tag) { continue }
            var item = paths[route.path]?.object ?? JSONObject()
            item[route.method.rawValue.lowercased()] = operation.json
            paths[route.path] = .object(item)
        }
        return paths
    }

    private var tags: [(name: String, sentence: String)] {
        let all = OperationDescription.tags + vendors.map { ($0.name, $0.sentence) }
        return all.filter { tag in part.map { $0.tags.contains(tag.name) } ?? true }
    }

    /// Shapes that depend on the vendors.
    private var keySchemas: [(String, JSONValue)] {
        let permissions = vendors.flatMap(\.keys.permissions.keys).sorted()
        return [
            ("KeyPlane", Shape.word(vendors.planes)),
            ("KeyScope", Shape.word(KeyScope.allCases.map(\.rawValue) + permissions)),
        ]
    }

    private var securitySchemes: [(String, JSONValue)] {
        let own = Self.securitySchemes.filter { scheme in
            switch part?.name {
            case nil: true
            case "control": ["operatorKey", "apiKey"].contains(scheme.0)
            case "device": ["appKey", "deviceSecret"].contains(scheme.0)
            default: false
            }
        }
        let theirs = vendors.filter { part == nil || part?.name == $0.name }.flatMap(\.schemes)
        return own + theirs.map { ($0.name, $0.scheme) }
    }

    /// All named shapes.
    static let schemas: [(String, JSONValue)] =
        errorSchemas + appSchemas + keySchemas + peopleSchemas + audienceSchemas + declarationSchemas + activitySchemas
        + typeSchemas + deviceSchemas + eventSchemas + eventInsightSchemas + webhookSchemas + reportSchemas
        + pushSchemas + overviewSchemas
        + insightSchemas

    private static let errorSchemas: [(String, JSONValue)] = [
        ("Problem", problem), ("ErrorEntry", entry),
        ("Errors", Shape.page("errors", of: "ErrorEntry", "All errors of the catalogue.", next: nil)),
        ("Status", status), ("Readiness", readiness), ("HealthCheck", healthCheck),
        ("StoreStatus", storeStatus), ("AppleStatus", appleStatus), ("Metrics", metrics),
        ("ServerStatus", serverStatus), ("NodeStatus", nodeStatus), ("Pushing", pushing),
        ("ClockStatus", clockStatus), ("Description", ["type": "object", "required": ["openapi", "paths"]]),
    ]

    private static let status = Shape.object(
        ["status": Shape.word("up").meaning("`up` while the process is up.")], example: #"{"status":"up"}"#)

    private static let metrics = Shape.text.meaning("Metrics in Prometheus's text format, version 0.0.4.")

    private static let readiness = Shape.object([
        "status": Shape.word("ready").meaning("`ready` while the server accepts calls."),
        "checks": Shape.list(Shape.named("HealthCheck")).meaning(
            "What was checked. A failed check need not make it unready."),
        "pushing": Shape.named("Pushing").meaning("Whether the server pushes."),
        "clock": Shape.named("ClockStatus").meaning("Effects of a server clock that was wrong."),
    ])

    private static let healthCheck = Shape.object([
        "code": Shape.word(HealthCheck.Code.allCases.map(\.rawValue)).meaning("What was checked."),
        "ok": Shape.flag.meaning("Whether it is as it should be."),
        "sentence": Shape.text.meaning("What is, and what to do about it."),
    ])

    private static let storeStatus = Shape.object([
        "waitingWrites": Shape.integer.meaning("Writes that wait for their transaction."),
        "busySeconds": Shape.number.meaning("Seconds since the writer finished a commit, while it has work."),
        "freeBytes?": Shape.integer.meaning("Free bytes of the file system, if it says."),
        "walBytes?": Shape.integer.meaning("Bytes of the database's log, if there is one."),
        "schema?": Shape.integer.meaning("Version of the database's schema."),
    ])

    private static let appleStatus = Shape.object([
        "environment": Shape.word("sandbox", "production").meaning("Environment of Apple's service."),
        "service": Shape.text.meaning("Name of the service: pushes or broadcasts."),
        "connections": Shape.integer.meaning("Open connections."),
        "failures": Shape.integer.meaning("Failed connections in a row."),
    ])

    private static let serverStatus = Shape.object([
        "version": Shape.text.meaning("Version of the program."),
        "commit": Shape.text.meaning("Commit that the program was built from."),
        "schema?": Shape.integer.meaning("Version of the database's schema that the program reads and writes."),
        "checks": Shape.list(Shape.named("HealthCheck")).meaning("The checks of readiness."),
        "store": Shape.named("StoreStatus").meaning("State of the store."),
        "apple": Shape.list(Shape.named("AppleStatus")).meaning("Connections to Apple, by service and environment."),
        "nodes?": Shape.list(Shape.named("NodeStatus")).meaning("The servers on the database. With PostgreSQL."),
        "pushing": Shape.named("Pushing").meaning("Whether the server pushes."),
        "clock": Shape.named("ClockStatus").meaning("Effects of a server clock that was wrong."),
        "refused": Shape.map(Shape.integer).meaning(
            "Number of connections and requests that this process has refused, by kind."),
    ])

    private static let nodeStatus = Shape.object([
        "name": Shape.text.meaning("Name of the server's machine, or of the setting EYOT_NODE_NAME."),
        "state": Shape.word(NodeStanding.State.allCases.map(\.rawValue)).meaning("What the server is seen to do."),
        "shards": Shape.integer.meaning("Number of shards, of 64, that it pushes for."),
        "version": Shape.text.meaning("Version of its program."),
        "startedAt": Shape.moment.meaning("When it started, RFC 3339."),
        "seenAt": Shape.moment.meaning("When it was last heard of, RFC 3339."),
        "id": Shape.text.meaning("Id of this life of the server."),
    ])

    private static let pushing = Shape.object([
        "active": Shape.flag.meaning("Whether pushes leave."),
        "reason?": Shape.word(PushingStatus.Wait.allCases.map(\.rawValue)).meaning("Why no push leaves."),
        "until?": Shape.moment.meaning("When that is over, RFC 3339, if it is known."),
        "shards?": Shape.integer.meaning("Number of shards, of 64, that the node pushes for. With PostgreSQL."),
    ])

    private static let clockStatus = Shape.object([
        "setBackAt?": Shape.moment.meaning("When the clock was last set back, RFC 3339."),
        "setBackSeconds?": Shape.number.meaning("By how many seconds the clock was set back."),
        "cardsWaitUntil?": Shape.moment.meaning("When the last waiting card may be pushed, RFC 3339."),
    ])

    private static let code = Shape.word(EyotError.Code.allCases.map(\.rawValue)).meaning("Stable code of the error.")

    private static let entry = Shape.object([
        "type": Shape.text.meaning("Path of the error in the catalogue."),
        "title": Shape.text.meaning("The code in words."),
        "status": Shape.integer.meaning("HTTP status of the answer."),
        "code": code,
        "cause": Shape.text.meaning("Sentence that says what is wrong."),
        "remedy": Shape.text.meaning("Sentence that says what to do."),
    ])

    private static let problem = Shape.object(
        [
            "type": Shape.text.meaning("Path of the error in the catalogue."),
            "title": Shape.text.meaning("The code in words."),
            "status": Shape.integer.meaning("HTTP status of the answer."),
            "code": code,
            "cause": Shape.text.meaning("Sentence that says what is wrong."),
            "remedy": Shape.text.meaning("Sentence that says what to do."),
            "detail": Shape.text.meaning("Description of this case."),
            "field?": Shape.text.meaning("Path of the wrong member, or name of the wrong header or parameter."),
        ],
        example: Problem(
            EyotError(.fieldMissing, "contentState is missing: a card needs a state to show", field: "contentState")
        ).json.text)

    // MARK: What many operations have

    /// A problem response for each status of the catalogue.
    private static let responses: JSONValue = .object(
        JSONObject(
            Set(EyotError.Code.allCases.map(\.status)).sorted().map { status in
                let codes = EyotError.Code.allCases.filter { $0.status == status }
                var headers = JSONObject([("X-Request-Id", reference("headers", "X-Request-Id"))])
                if status == 429 { headers["Retry-After"] = reference("headers", "Retry-After") }
                let example = Problem(EyotError(codes[0], "what is wrong with this call")).json
                return (
                    "Problem\(status)",
                    [
                        "description": .string(codes.map(\.rawValue).joined(separator: ", ")),
                        "headers": .object(headers),
                        "content": .object(
                            JSONObject([
                                (
                                    Problem.contentType,
                                    ["schema": Shape.named("Problem"), "example": example]
                                )
                            ])),
                        "x-eyot-codes": .array(codes.map { .string($0.rawValue) }),
                    ]
                )
            }))

    static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// Headers of an answer to a key of the control plane.
    static let rateHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]

    private static let headers: JSONValue = [
        "x-ratelimit-limit": header("Calls an hour. Absent where there is no limit.", Shape.integer),
        "x-ratelimit-remaining": header("Calls that may be made at once.", Shape.integer),
        "x-ratelimit-reset": header("UTC seconds since 1970 at which all of them are there again.", Shape.integer),
        "Retry-After": header("Seconds to wait.", Shape.integer),
        "X-Request-Id": header("The request, as the server's log names it.", Shape.text),
        "ETag": header("The activity's generation and version, such as \"2-14\".", Shape.text),
    ]

    private static func header(_ words: String, _ shape: JSONValue) -> JSONValue {
        ["description": .string(words), "schema": shape]
    }

    /// The schemes of Eyot's own planes.
    private static let securitySchemes: [(String, JSONValue)] = [
        ("operatorKey", bearer("The operator's key; Eyot-App names the app where a call is about one.")),
        ("apiKey", bearer("A key of one app's control plane.")),
        ("appKey", bearer("The public key that stands in an app.")),
        ("deviceSecret", bearer("The secret of one installation.")),
    ]

    private static func bearer(_ words: String) -> JSONValue {
        ["type": "http", "scheme": "bearer", "description": .string(words)]
    }
}
