import EyotCommands
import EyotContract
import EyotDomain

/// Shapes of declarations and operations.
extension APIDescription {
    /// The members that a call takes, or that any call takes.
    private static func members(of verb: DeclarationRequest.Verb? = nil) -> [(String, JSONValue)] {
        DeclarationMember.all.filter { member in verb.map(member.isTaken) ?? true }.map { ($0.name, $0.shape) }
    }

    private static func shape(_ members: [(String, JSONValue)], example: String) -> JSONValue {
        [
            "type": "object", "properties": .object(JSONObject(members)), "additionalProperties": false,
            "examples": .array([try? JSONValue(parsing: Array(example.utf8))].compactMap(\.self)),
        ]
    }

    static let declarationSchemas: [(String, JSONValue)] = calls + answers + definitions

    private static let calls: [(String, JSONValue)] = [
        (
            "Start",
            shape(
                members(of: .start),
                example: #"{"type":"MatchAttributes","attributes":{"home":"Argentina","away":"France"},"#
                    + #""contentState":{"homeScore":0,"awayScore":0,"clock":"1"},"#
                    + #""alert":{"title":"Kick-off","body":"Argentina v France"},"audience":{"tag":"fans"}}"#)
        ),
        (
            "Update",
            shape(
                members(of: .update), example: #"{"contentState":{"homeScore":1,"awayScore":0,"clock":"23"}}"#)
        ),
        (
            "End",
            shape(
                members(of: .end),
                example: #"{"contentState":{"homeScore":3,"awayScore":3,"clock":"120"}}"#)
        ),
        (
            "Put",
            shape(
                members(of: .put),
                example: #"{"contentState":{"homeScore":2,"awayScore":0,"clock":"36"}}"#)
        ),
        (
            "DeclarationLine",
            shape(
                [
                    ("name", Shape.text), ("verb", Shape.word("start", "update", "end", "put")),
                    ("ifMatch", Shape.text), ("idempotencyKey", Shape.text),
                ] + members(),
                example:
                    #"{"name":"final-2022","verb":"update","contentState":{"homeScore":3,"awayScore":2,"clock":"108"}}"#
            )
        ),
    ]

    /// Members of an operation in an answer and in its record.
    static let operationMembers: [(String, JSONValue)] = [
        ("name", Shape.text), ("generation", Shape.integer), ("version", Shape.integer),
        ("outcome", Shape.word("applied", "unchanged", "superseded", "unmet")), ("starting", Shape.integer),
        ("skipped", Shape.map(Shape.integer)), ("members", Shape.integer), ("untold", Shape.integer),
        ("warnings", Shape.list(Shape.text)),
    ]

    /// Returns the shape of an operation, with further members.
    static func operation(
        _ more: [(String, JSONValue)], required: [JSONValue], example: String? = nil
    ) -> JSONValue {
        var object = JSONObject([
            ("type", "object"), ("properties", .object(JSONObject(operationMembers + more))),
            ("required", .array(["name", "generation", "version", "outcome", "starting"] + required)),
            ("additionalProperties", false),
        ])
        object["examples"] = example.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.map { .array([$0]) }
        return .object(object)
    }

    private static let push = Shape.object(
        [
            "event": Shape.text, "to": Shape.word("token", "channel"), "language?": Shape.text,
            "headers": Shape.map(Shape.text), "payload": Shape.anyObject, "bytes": Shape.integer,
            "limit": Shape.integer, "setWhenSent": Shape.list(Shape.text),
        ])

    private static let verdict = Shape.object(
        ["build": Shape.text, "verdict": Shape.word("decodes", "mismatch", "noSchema"), "reason?": Shape.text])

    private static let answers: [(String, JSONValue)] = [
        (
            "Operation",
            operation(
                [("operation", Shape.text)], required: ["operation"],
                example: #"{"operation":"1","name":"final-2022","generation":1,"version":1,"outcome":"applied","#
                    + #""starting":140,"skipped":{"noStartToken":3},"warnings":[]}"#)
        ),
        (
            "DryRun",
            operation(
                [
                    ("dryRun", ["const": true]), ("cards", Shape.map(Shape.integer)), ("pushes", Shape.list(push)),
                    ("schemas", Shape.list(verdict)),
                ], required: ["dryRun", "pushes", "schemas"])
        ),
        ("DryRunOrOperation", Shape.any(Shape.named("DryRun"), Shape.named("Operation"))),
        (
            "LineResult",
            Shape.object(
                [
                    "line": Shape.integer, "status": Shape.integer,
                    "answer?": Shape.named("DryRunOrOperation"), "problem?": Shape.named("Problem"),
                ])
        ),
    ]

    private static let parameterKind = Shape.word("string", "number", "integer", "boolean", "object", "array", "any")
    private static let definition: JSONValue = Shape.map(
        Shape.object(["kind": parameterKind, "default?": [:], "required?": Shape.flag]))

    private static let definitions: [(String, JSONValue)] = [
        (
            "NewDefinition",
            Shape.object(
                ["parameters?": definition, "declaration": Shape.anyObject],
                example: #"{"parameters":{"home":{"kind":"integer"}},"#
                    + #""declaration":{"contentState":{"homeScore":"{{home}}","awayScore":0,"clock":"23"}}}"#)
        ),
        (
            "Definition",
            Shape.object(
                [
                    "name": Shape.text, "parameters?": definition, "declaration": Shape.anyObject,
                    "changedAt": Shape.moment,
                ])
        ),
        ("Definitions", Shape.page("definitions", of: "Definition")),
    ]
}

extension DeclarationMember {
    /// The member's shape, with its meaning.
    fileprivate var shape: JSONValue {
        var object = kind.shape.object ?? JSONObject()
        object["description"] = .string(plainMeaning)
        return .object(object)
    }
}

extension DeclarationMember.Kind {
    private static let canary = Shape.object(
        ["percent": Shape.number, "maximumRefusals?": Shape.number, "waitSeconds?": Shape.number])
    private static let live = Shape.any(Shape.flag, Shape.object(["limit": Shape.integer(1...1_000_000)]))

    fileprivate var shape: JSONValue {
        switch self {
        case .text: Shape.text
        case .object: Shape.anyObject
        case .moment: Shape.moment
        case .flag: Shape.flag
        case .audience: Shape.named("Audience")
        case .number: Shape.number
        case .priority: ["type": "integer", "enum": [5, 10]]
        case .plannedEnd: Shape.any(Shape.moment, ["const": "never"])
        case .live: Self.live
        case .canary: Self.canary
        case .word(let words): Shape.word(words)
        }
    }
}
