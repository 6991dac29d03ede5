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
                lineMembers + members(),
                example:
                    #"{"name":"final-2022","verb":"update","contentState":{"homeScore":3,"awayScore":2,"clock":"108"}}"#
            )
        ),
    ]

    private static let lineMembers: [(String, JSONValue)] = [
        ("name", Shape.text.meaning("Name of the activity.")),
        ("verb", Shape.word("start", "update", "end", "put").meaning("The call that the line stands for.")),
        ("ifMatch", Shape.text.meaning("Value of the header If-Match for this line.")),
        ("idempotencyKey", Shape.text.meaning("Idempotency-Key of this line. It replaces the request's.")),
    ]

    private static let outcome = Shape.word("applied", "unchanged", "superseded", "unmet").meaning(
        "Effect of the call. `superseded` and `unmet` mean that nothing was done.")

    /// Members of an operation in an answer and in its record.
    static let operationMembers: [(String, JSONValue)] = [
        ("name", Shape.text.meaning("Name of the activity.")),
        ("generation", Shape.integer.meaning("Generation of the activity.")),
        ("version", Shape.integer.meaning("Version of the declaration.")),
        ("outcome", outcome),
        ("starting", Shape.integer.meaning("Number of cards that are being started.")),
        ("skipped", Shape.map(Shape.integer).meaning("Number of devices that get no card, by reason.")),
        ("members", Shape.integer.meaning("Replicas in the scope, with places that earlier starts still keep in it.")),
        ("untold", Shape.integer.meaning("Number of members of the audience or scope that are still pending.")),
        ("warnings", Shape.list(Shape.text).meaning("Sentences about what may not do what the caller means.")),
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

    private static let push = Shape.object([
        "event": Shape.text.meaning("Apple's event: `start`, `update` or `end`."),
        "to": Shape.word("token", "channel").meaning("Whether the push goes to tokens or to a channel."),
        "language?": Shape.text.meaning("Language of the alert's texts, BCP 47. Absent for the alert's own texts."),
        "headers": Shape.map(Shape.text).meaning("Headers of the request to Apple."),
        "payload": Shape.anyObject.meaning("Payload as Apple gets it."),
        "bytes": Shape.integer.meaning("Size of the payload in bytes."),
        "limit": Shape.integer.meaning("The most bytes that Apple accepts: 4,096, or 5,120 for a channel."),
        "setWhenSent": Shape.list(Shape.text).meaning("Paths of members that are set at the moment of sending."),
    ])

    private static let verdict = Shape.object([
        "build": Shape.text.meaning("Version of the app."),
        "verdict": Shape.word("decodes", "mismatch", "noSchema").meaning("Whether the build decodes the declaration."),
        "reason?": Shape.text.meaning("Why the build would not decode it."),
    ])

    private static let dryRun: [(String, JSONValue)] = [
        ("dryRun", isDryRun),
        ("cards", Shape.map(Shape.integer).meaning("Cards by phase, if the call would be for all of them.")),
        ("pushes", Shape.list(push).meaning("Each kind of push that would leave, once.")),
        ("schemas", Shape.list(verdict).meaning("Verdict for each build. Empty for a type without schemas.")),
    ]
    private static let isTrue: JSONValue = ["const": true]
    private static let isDryRun = isTrue.meaning("Always true: nothing was done.")

    private static let lineResult = Shape.object([
        "line": Shape.integer.meaning("Number of the line, from 1."),
        "status": Shape.integer.meaning("HTTP status that the single call would have."),
        "answer?": Shape.named("DryRunOrOperation").meaning("Answer of the single call. Absent if it was refused."),
        "problem?": Shape.named("Problem").meaning("Why the line was refused."),
    ])

    private static let answers: [(String, JSONValue)] = [
        (
            "Operation",
            operation(
                [("operation", Shape.text.meaning("Id under which the operation is read."))], required: ["operation"],
                example: #"{"operation":"1","name":"final-2022","generation":1,"version":1,"outcome":"applied","#
                    + #""starting":140,"skipped":{"noStartToken":3},"warnings":[]}"#)
        ),
        ("DryRun", operation(dryRun, required: ["dryRun", "pushes", "schemas"])),
        ("DryRunOrOperation", Shape.any(Shape.named("DryRun"), Shape.named("Operation"))),
        ("LineResult", lineResult),
    ]

    // MARK: Definitions

    private static let anyValue: JSONValue = [:]
    private static let parameterKind = Shape.word("string", "number", "integer", "boolean", "object", "array", "any")
    private static let parameter = Shape.object([
        "kind": parameterKind.meaning("Type of the parameter's values."),
        "default?": anyValue.meaning("The value if a call gives none."),
        "required?": Shape.flag.meaning("False if the parameter may be absent and has no default."),
    ])
    private static let parameters = Shape.map(parameter).meaning("The definition's parameters, by name.")
    private static let keptDeclaration = Shape.anyObject.meaning(
        "Members of a declaration, with the places of parameters as `{{name}}`.")

    private static let newDefinition = Shape.object(
        ["parameters?": parameters, "declaration": keptDeclaration],
        example: #"{"parameters":{"home":{"kind":"integer"}},"#
            + #""declaration":{"contentState":{"homeScore":"{{home}}","awayScore":0,"clock":"23"}}}"#)

    private static let definition = Shape.object([
        "name": Shape.text.meaning("Name of the definition."),
        "parameters?": parameters, "declaration": keptDeclaration,
        "changedAt": Shape.moment.meaning("When the definition was last changed, RFC 3339."),
    ])

    private static let definitions: [(String, JSONValue)] = [
        ("NewDefinition", newDefinition), ("Definition", definition),
        ("Definitions", Shape.page("definitions", of: "Definition", "Definitions of the page, in the order of names.")),
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
    private static let canary = Shape.object([
        "percent": Shape.number.meaning("Share of the activity's ordinals in percent, 0.1 to 50."),
        "maximumRefusals?": Shape.number.meaning("Part of Apple's answers that may be bad, 0 to 0.5; 0.02 by default."),
        "waitSeconds?": Shape.number.meaning("Seconds that the share has the state alone, 0 to 3,600; 30 by default."),
    ])
    private static let limit = Shape.integer(1...1_000_000).meaning("The most devices to start; 10,000 by default.")
    private static let live = Shape.any(Shape.flag, Shape.object(["limit": limit]))

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
