import EyotContract
import EyotDomain

/// Shapes of apps, their keys and the audit record.
extension APIDescription {
    private static let openness = Shape.word("private", "public")
    private static let openNames = Shape.object([
        "tags?": Shape.list(Shape.text), "attributes?": Shape.list(Shape.text),
    ])
    private static let pause = Shape.object([
        "reason": Shape.text, "meaning": Shape.text, "since": Shape.moment, "nextTrialAt?": Shape.moment,
    ])
    private static let environment = Shape.word("sandbox", "production")

    static let appSchemas: [(String, JSONValue)] = [
        (
            "NewApp",
            Shape.object(
                ["bundleID": Shape.text, "name": Shape.text, "activities?": openness],
                example: #"{"bundleID":"org.example.cup","name":"Cup"}"#)
        ),
        (
            "CreatedApp",
            Shape.object(
                ["bundleID": Shape.text, "name": Shape.text, "appKey": Shape.text, "apiKey": Shape.text],
                example: #"{"bundleID":"org.example.cup","name":"Cup","appKey":"eyot_pk_…","apiKey":"eyot_sk_…"}"#)
        ),
        (
            "App",
            Shape.object(
                [
                    "bundleID": Shape.text, "name": Shape.text, "appKey": Shape.text,
                    "apnsKeys": Shape.list(Shape.named("APNSKey")), "createdAt": Shape.moment, "activities": openness,
                    "pauses?": Shape.object(["sandbox?": pause, "production?": pause]),
                    "haltedSince?": Shape.moment, "haltedTypes": Shape.list(Shape.text), "openNames?": openNames,
                    "formerAppKeys?": Shape.list(Shape.object(["appKey": Shape.text, "until": Shape.moment])),
                    "usage?": Shape.object(
                        [
                            "devices": Shape.integer, "openedNames": Shape.integer, "refusedNames": Shape.integer,
                        ]),
                ],
                example: #"{"bundleID":"org.example.cup","name":"Cup","appKey":"eyot_pk_…","apnsKeys":[],"#
                    + #""createdAt":"2022-12-18T15:00:00Z","activities":"private","haltedTypes":[]}"#)
        ),
        ("Apps", Shape.page("apps", of: "App", hasNext: false)),
        ("AppMerge", Shape.object(["name": Shape.text], example: #"{"name":"Cup"}"#)),
        ("AppKeyRotation", Shape.object(["overlapSeconds?": Shape.integer], example: #"{"overlapSeconds":15552000}"#)),
        (
            "Privacy",
            Shape.object(
                ["activities?": openness, "openNames?": openNames],
                example: #"{"activities":"public","openNames":{"tags":["fans"]}}"#)
        ),
        (
            "APNSKey",
            Shape.object(
                [
                    "environment": environment, "teamID": Shape.text, "keyID": Shape.text, "masterKey": Shape.text,
                    "addedAt": Shape.moment,
                ],
                example: #"{"environment":"sandbox","teamID":"TEAM123456","keyID":"KEY1234567","masterKey":"1a2b","#
                    + #""addedAt":"2022-12-18T15:00:00Z"}"#)
        ),
        ("APNSKeys", Shape.page("apnsKeys", of: "APNSKey", hasNext: false)),
        (
            "NewAPNSKey",
            Shape.object(
                ["teamID": Shape.text, "keyID": Shape.text, "privateKey": Shape.text],
                example: #"{"teamID":"TEAM123456","keyID":"KEY1234567","privateKey":"-----BEGIN PRIVATE KEY-----\n…"}"#)
        ),
        ("Change", recorded([:])), ("Changes", Shape.page("changes", of: "Change")),
        (
            "Access",
            recorded(["kind": Shape.word(AccessEntry.Kind.allCases.map(\.rawValue)), "repeated?": Shape.integer])
        ),
        ("Accesses", Shape.page("entries", of: "Access")),
    ]

    /// Returns the shape of a recorded call, with further members.
    private static func recorded(_ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object(
            [
                "number": Shape.integer, "at": Shape.moment, "key": Shape.text, "hint": Shape.text,
                "method": Shape.text, "route": Shape.text, "subject": Shape.text, "status": Shape.integer,
                "address?": Shape.text,
            ]
        ).object
        var properties = shape?["properties"]?.object
        for (name, value) in more { properties?[name.replacing("?", with: "")] = value }
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }

    private static let scopes = Shape.list(Shape.word(KeyScope.allCases.map(\.rawValue)))

    /// Returns the shape of a key, with further members.
    private static func key(_ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object(
            [
                "id": Shape.text, "name": Shape.text, "hint": Shape.text, "createdAt": Shape.moment,
                "plane?": Shape.named("KeyPlane"), "identifier?": Shape.text,
                "publicKey?": Shape.text, "app?": Shape.text, "addresses?": Shape.list(Shape.text),
                "environment?": environment,
                "scopes?": scopes, "expiresAt?": Shape.moment, "lastUsedAt?": Shape.moment, "revokedAt?": Shape.moment,
            ]
        ).object
        var properties = shape?["properties"]?.object
        for (name, value) in more { properties?[name] = value }
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }

    static let keySchemas: [(String, JSONValue)] = [
        ("Key", key([:])), ("CreatedKey", key(["key": Shape.text])),
        ("RotatedKey", key(["key": Shape.text, "replaces": Shape.named("Key")])),
        ("Keys", Shape.page("keys", of: "Key", hasNext: false)),
        (
            "NewKey",
            Shape.object(
                [
                    "name": Shape.text, "plane?": Shape.named("KeyPlane"),
                    "scopes?": Shape.list(Shape.named("KeyScope")),
                    "expiresAt?": Shape.moment, "identifier?": Shape.text, "publicKey?": Shape.text,
                    "addresses?": Shape.list(Shape.text), "environment?": environment,
                ], example: #"{"name":"ci","scopes":["activities:read"],"expiresAt":"2099-01-01T00:00:00Z"}"#)
        ),
        (
            "Rotation",
            Shape.object(
                ["overlapSeconds?": Shape.integer(0...2_592_000)], example: #"{"overlapSeconds":3600}"#)
        ),
        (
            "Identity",
            Shape.object(
                [
                    "mode": Shape.word("off", "report", "require"), "isDefault?": Shape.flag,
                    "keys": Shape.list(Shape.named("IdentityKey")), "failures": Shape.integer,
                    "terms": Shape.named("ProofTerms"),
                ],
                example: #"{"mode":"off","isDefault":true,"keys":[],"failures":0,"#
                    + #""terms":{"longestSeconds":31622400,"oneDevice":false}}"#)
        ),
        (
            "ProofTerms",
            Shape.object(
                [
                    "issuer?": Shape.text, "audience?": Shape.text, "longestSeconds?": Shape.integer,
                    "oneDevice?": Shape.flag,
                ],
                example: #"{"issuer":"https://shop.example.org","audience":"org.example.cup","longestSeconds":3600}"#)
        ),
        (
            "NewIdentityMode",
            Shape.object(["mode": Shape.word("off", "report", "require")], example: #"{"mode":"report"}"#)
        ),
        ("UnprovenPage", Shape.object(["after?": Shape.text], example: #"{"after":"200"}"#)),
        (
            "DroppedUsers",
            Shape.object(["dropped": Shape.integer, "next?": Shape.text], example: #"{"dropped":2}"#)
        ),
        (
            "NewIdentityKey",
            Shape.object(["publicKey": Shape.text], example: #"{"publicKey":"-----BEGIN PUBLIC KEY-----\n…"}"#)
        ),
        (
            "IdentityKey",
            Shape.object(
                ["id": Shape.text, "algorithm": Shape.text, "publicKey": Shape.text, "addedAt": Shape.moment])
        ),
        (
            "IdentityFailure",
            Shape.object(
                [
                    "number": Shape.integer, "at": Shape.moment, "device": Shape.text, "user": Shape.text,
                    "reason": Shape.text, "reasonCode": Shape.integer, "isRefused": Shape.flag,
                ])
        ),
        ("IdentityFailures", Shape.page("failures", of: "IdentityFailure")),
    ]
}

extension OperationDescription {
    static let appNotes: [String: OperationNote] = [
        "GET /healthz": .of("Whether the process is up", 200, "Status"),
        "GET /readyz": .of("Whether it is fit to be sent calls", 200, "Readiness"),
        "GET /v1/status": .of("Whether it pushes, and what waits for the clock", 200, "ServerStatus"),
        "GET /openapi.json": .of("This description", 200, "Description"),
        "GET /openapi/{plane}": .of("The description of one plane: control, device, or a vendor's", 200, "Description"),
        "GET /v1/errors": .of("The catalogue of errors", 200, "Errors"),
        "GET /v1/errors/{code}": .of("One error of the catalogue", 200, "ErrorEntry"),
        "POST /v1/apps": .of("Declare an app", takes: "NewApp", 201, "CreatedApp", codes: [.appTaken]),
        "GET /v1/apps": .of("List apps", 200, "Apps"),
        "GET /v1/apps/{bundleID}": .of("Read an app", 200, "App"),
        "PATCH /v1/apps/{bundleID}": .of("Rename an app", takes: "AppMerge", 200, "App"),
        "DELETE /v1/apps/{bundleID}": .of("Remove an app with everything that belongs to it", 204, codes: [.appInUse]),
        "POST /v1/apps/{bundleID}/app-key/rotate": .of(
            "Give an app a new public key", takes: "AppKeyRotation", 200, "App"),
        "DELETE /v1/apps/{bundleID}/app-key/former": .of("Withdraw an app's former public keys", 204),
        "PUT /v1/apps/{bundleID}/privacy": .of(
            "Say who may join activities, and under which names phones are believed", takes: "Privacy", 200, "App"),
        "POST /v1/apps/{bundleID}/halt": .of("Halt everything of an app", 200, "App"),
        "POST /v1/apps/{bundleID}/resume": .of("Go on with an app", 200, "App"),
        "GET /v1/apps/{bundleID}/apns-keys": .of("List an app's APNs keys", 200, "APNSKeys"),
        "PUT /v1/apps/{bundleID}/apns-keys/{environment}": .of(
            "Store an APNs key", takes: "NewAPNSKey", 200, "APNSKey"),
        "POST /v1/keys": .of("Make a key", takes: "NewKey", 201, "CreatedKey", codes: [.dateOutOfRange]),
        "GET /v1/keys": .of("List keys", 200, "Keys"),
        "DELETE /v1/keys/{id}": .of("Revoke a key", 204, codes: [.keyUnknown]),
        "POST /v1/keys/{id}/rotate": .of(
            "Make a key in the place of another", takes: "Rotation", 201, "RotatedKey", codes: [.keyUnknown]),
        "GET /v1/audit": .of("What was changed, and by which key", 200, "Changes"),
        "GET /v1/audit/access": .of("Who read what is known of people, and who was refused", 200, "Accesses"),
        "GET /v1/identity": .of("How users prove who they are", 200, "Identity"),
        "PUT /v1/identity/mode": .of(
            "Say what becomes of phones that prove nothing", takes: "NewIdentityMode", 200, "Identity"),
        "PUT /v1/identity/terms": .of("Say what is asked of tokens", takes: "ProofTerms", 200, "Identity"),
        "PUT /v1/identity/keys/{id}": .of(
            "Put a public key for proofs", takes: "NewIdentityKey", 200, "IdentityKey"),
        "DELETE /v1/identity/keys/{id}": .of("Remove a public key", 204, codes: [.identityKeyUnknown]),
        "POST /v1/identity/drop-unproven": .of(
            "Take the users of phones away that did not prove them", takes: "UnprovenPage", 200, "DroppedUsers"),
        "GET /v1/identity/failures": .of("Proofs that did not hold", 200, "IdentityFailures"),
    ]
}
