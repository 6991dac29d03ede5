import EyotContract
import EyotDomain

/// Shapes of activities, types and channels.
extension APIDescription {
    private static let broadcasts = Shape.object(
        ["accepted": Shape.integer, "refused": Shape.integer, "unknown": Shape.integer])
    private static let maybe: JSONValue = ["type": ["number", "null"]]

    private static let canary = Shape.object(
        [
            "version": Shape.integer, "percent": Shape.number, "maximumRefusals": Shape.number,
            "waitSeconds": Shape.number, "upToOrdinal": Shape.integer, "accepted": Shape.integer,
            "refused": Shape.integer, "unknown": Shape.integer,
            "state": Shape.word("delivering", "waiting", "passed", "failed"), "goesOnAt?": Shape.moment,
            "passedAt?": Shape.moment, "failedAt?": Shape.moment,
        ])
    private static let halt = Shape.object(
        ["by": Shape.word("app", "type", "activity"), "since": Shape.moment, "reason?": Shape.text])
    private static let tally = Shape.object(
        [
            "started": Shape.integer, "accepted": Shape.integer, "ended": Shape.integer, "superseded": Shape.integer,
            "alertsSuperseded": Shape.integer, "alertsExpired": Shape.integer, "refused": Shape.integer,
            "unknown": Shape.integer, "broadcasts?": broadcasts,
        ])
    private static let stateAge = Shape.object(
        [
            "now": Shape.object(["behind": Shape.integer, "maxSeconds": Shape.number]),
            "caughtUp": Shape.object(["count": Shape.integer, "p50": maybe, "p99": maybe, "max": maybe]),
        ])
    private static let activityChannel = Shape.object(
        [
            "environment": Shape.text, "state": Shape.text, "channel?": Shape.text, "acceptedVersion?": Shape.integer,
            "freeAt?": Shape.moment, "reason?": Shape.text,
        ])

    private static let activity = Shape.object(
        [
            "name": Shape.text, "generation": Shape.integer, "version": Shape.integer, "type?": Shape.text,
            "state": Shape.word("active", "ended", "undeclared"), "public?": Shape.flag,
            "contentState?": Shape.anyObject, "stateVersion?": Shape.integer, "asOf?": Shape.moment,
            "createdAt": Shape.moment, "declaredAt?": Shape.moment, "startsAt?": Shape.moment, "endsAt?": Shape.moment,
            "endedAt?": Shape.moment, "halt?": halt, "canary?": canary, "channels?": Shape.list(activityChannel),
            "phases": Shape.map(Shape.integer), "notStarted": Shape.map(Shape.integer),
            "deaths": Shape.map(Shape.integer), "stateAge": stateAge,
            "tally": tally,
        ])

    private static let replica = Shape.object(
        [
            "ordinal": Shape.integer, "device": Shape.text, "user?": Shape.text, "instance?": Shape.text,
            "phase": Shape.text, "reason?": Shape.text, "death?": death,
            "start?": Shape.object(["state": Shape.text, "version": Shape.integer, "sentAt?": Shape.moment]),
            "token?": updateToken, "accepted": Shape.integer, "desired": Shape.integer, "locallyChanged?": Shape.flag,
            "isBehind": Shape.flag, "behindSince?": Shape.moment,
            "retry?": Shape.object(["attempts": Shape.integer, "notBefore": Shape.moment]),
            "blocked?": Shape.object(["version": Shape.integer, "reason": Shape.text, "meaning": Shape.text]),
            "startsAt?": Shape.moment, "createdAt": Shape.moment,
        ])

    static let activitySchemas: [(String, JSONValue)] = [
        ("Activity", activity), ("Activities", Shape.page("activities", of: "Activity")),
        (
            "Replicas",
            Shape.object(
                [
                    "name": Shape.text, "generation": Shape.integer, "version": Shape.integer,
                    "replicas": Shape.list(replica), "next?": Shape.text,
                ])
        ),
        ("JoinSecret", joinSecret([:])), ("NewJoinSecret", joinSecret(["joinSecret": Shape.text])),
        (
            "HaltedActivity",
            Shape.object(["name": Shape.text, "generation": Shape.integer, "halt?": halt])
        ),
        ("HaltedType", Shape.object(["type": Shape.text, "haltedSince?": Shape.moment])),
        (
            "OperationReport",
            operation(
                [
                    ("operation", Shape.text), ("verb", Shape.word("start", "update", "end", "put")),
                    ("key", Shape.text), ("acceptedAt", Shape.moment),
                    ("state", Shape.word(OperationState.allCases.map(\.rawValue))), ("completedAt", Shape.moment),
                    (
                        "counts",
                        Shape.object(
                            [
                                "accepted": Shape.integer, "refused": Shape.integer, "unknown": Shape.integer,
                                "superseded": Shape.integer, "broadcasts?": broadcasts,
                            ])
                    ), ("canary", canary),
                    ("supersededBy", Shape.object(["generation": Shape.integer, "version": Shape.integer])),
                ], required: ["operation", "verb", "acceptedAt", "state", "counts"])
        ),
        (
            "Channels",
            Shape.object(
                [
                    "channels": Shape.list(
                        Shape.object(
                            [
                                "id": Shape.text, "activity?": Shape.text, "generation?": Shape.integer,
                                "environment": Shape.text, "state": Shape.text, "channel?": Shape.text,
                                "acceptedVersion?": Shape.integer, "freeAt?": Shape.moment, "reason?": Shape.text,
                            ])), "next?": Shape.text,
                ], example: #"{"channels":[]}"#)
        ),
    ]

    // MARK: Types

    private static let difference = Shape.list(Shape.object(["path": Shape.text, "reason": Shape.text]))

    static let typeSchemas: [(String, JSONValue)] = [
        (
            "NewProfile",
            Shape.object(
                [
                    "updateSpacing?": Shape.integer(0...3_600),
                    "updateSpacingWithoutFrequentPushes?": Shape.integer(0...3_600), "startsPerHour?": Shape.integer,
                    "staleAfter?": Shape.integer, "relevanceScore?": Shape.number,
                ], example: #"{"updateSpacing":5,"startsPerHour":4}"#)
        ),
        (
            "Profile",
            Shape.object(
                [
                    "type": Shape.text, "updateSpacing": Shape.integer,
                    "updateSpacingWithoutFrequentPushes": Shape.integer, "startsPerHour": Shape.integer,
                    "staleAfter?": Shape.integer, "relevanceScore?": Shape.number,
                ])
        ),
        (
            "NewSchema",
            Shape.object(
                ["schema": Shape.anyObject, "builds?": Shape.list(Shape.text)],
                example: #"{"builds":["0.9 (1)"],"schema":{"attributes":{"type":"object"},"contentState":{"#
                    + #""type":"object","properties":{"homeScore":{"type":"integer"}}}}}"#)
        ),
        (
            "PushedSchema",
            Shape.object(
                [
                    "type": Shape.text, "builds": Shape.list(Shape.text), "onOlderBuilds": difference,
                    "onNewerBuilds": difference,
                ])
        ),
        (
            "Schemas",
            Shape.object(
                [
                    "type": Shape.text,
                    "schemas": Shape.list(
                        Shape.object(["build?": Shape.text, "pushedAt": Shape.moment, "schema": Shape.anyObject])),
                ])
        ),
    ]
}

extension OperationDescription {
    /// Codes that every declaration may be refused with.
    private static let refusals: [EyotError.Code] = [
        .activityEnded, .activityUnknown, .alertIncomplete, .audienceMissing, .dateOutOfRange, .definitionUnknown,
        .payloadTooLarge, .schemaMismatch, .scopeWithoutActivity, .segmentUnknown, .superseded, .testDeviceUnknown,
        .tooManyLiveAudiences, .tooManyMembers, .tooManyMembersWaiting, .typeMismatch,
    ]

    private static func declaration(_ summary: String, takes: String) -> OperationNote {
        OperationNote(
            summary, takes: Shape.named(takes),
            answers: [
                OperationNote.Success(202, Shape.named("Operation")),
                OperationNote.Success(200, Shape.named("DryRunOrOperation")),
            ], codes: refusals, isConditional: true)
    }

    static let activityNotes: [String: OperationNote] = [
        "POST /v1/activities/{name}/start": declaration("Open an activity and start cards", takes: "Start"),
        "POST /v1/activities/{name}/update": declaration("Declare a new state", takes: "Update"),
        "POST /v1/activities/{name}/end": declaration("End an activity", takes: "End"),
        "PUT /v1/activities/{name}": declaration("Declare the state, whatever that takes", takes: "Put"),
        "POST /v1/declarations": .of(
            "Make very many declarations, a line each", 200, "LineResult", codes: [.payloadTooLarge]),
        "GET /v1/activities": .of("List activities", 200, "Activities"),
        "GET /v1/activities/{name}": .of("Read an activity", 200, "Activity", codes: [.activityUnknown]),
        "GET /v1/activities/{name}/replicas": .of(
            "List the cards of an activity", 200, "Replicas", codes: [.activityUnknown]),
        "POST /v1/activities/{name}/join-secret": .of(
            "Make what lets phones join a private activity", 201, "NewJoinSecret",
            codes: [.activityUnknown, .activityEnded]),
        "GET /v1/activities/{name}/join-secret": .of(
            "Whether an activity has a join secret", 200, "JoinSecret", codes: [.activityUnknown, .joinSecretUnknown]),
        "DELETE /v1/activities/{name}/join-secret": .of(
            "Remove an activity's join secret", 204, codes: [.activityUnknown, .joinSecretUnknown]),
        "POST /v1/activities/{name}/halt": .of("Halt an activity", 200, "HaltedActivity", codes: [.activityUnknown]),
        "POST /v1/activities/{name}/resume": .of(
            "Go on with an activity", 200, "HaltedActivity", codes: [.activityUnknown]),
        "POST /v1/types/{type}/halt": .of("Halt a type", 200, "HaltedType"),
        "POST /v1/types/{type}/resume": .of("Go on with a type", 200, "HaltedType"),
        "PUT /v1/types/{type}/profile": .of("Say what cards of a type may spend", takes: "NewProfile", 200, "Profile"),
        "GET /v1/types/{type}/profile": .of("Read what cards of a type may spend", 200, "Profile"),
        "PUT /v1/types/{type}/schemas": .of(
            "Say what builds decode", takes: "NewSchema", 200, "PushedSchema", codes: [.tooManySchemas]),
        "GET /v1/types/{type}/schemas": .of("List the schemas of a type", 200, "Schemas"),
        "DELETE /v1/types/{type}/schemas": .of(
            "Remove the schema of all other builds", 204, codes: [.schemaUnknown]),
        "DELETE /v1/types/{type}/schemas/{build}": .of(
            "Remove the schema of a build", 204, codes: [.schemaUnknown]),
        "GET /v1/channels": .of("List broadcast channels", 200, "Channels"),
        "GET /v1/operations/{id}": .of(
            "What became of a call", 200, "OperationReport", codes: [.operationUnknown]),
        "PUT /v1/definitions/{name}": .of(
            "Keep a declaration under a name", takes: "NewDefinition", 200, "Definition",
            codes: [.tooManyDefinitions, .alertIncomplete, .dateOutOfRange]),
        "GET /v1/definitions/{name}": .of("Read a definition", 200, "Definition", codes: [.definitionUnknown]),
        "GET /v1/definitions": .of("List definitions", 200, "Definitions"),
        "DELETE /v1/definitions/{name}": .of("Remove a definition", 204, codes: [.definitionUnknown]),
    ]
}
