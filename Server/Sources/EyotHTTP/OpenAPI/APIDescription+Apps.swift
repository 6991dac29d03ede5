import EyotContract
import EyotDomain

/// Shapes of apps, their keys for Apple and the audit log.
extension APIDescription {
    private static let openness = Shape.word("private", "public").meaning(
        "Whether any phone may join activities that were declared neither public nor private.")
    private static let environment = Shape.word("sandbox", "production")
    private static let bundleID = Shape.text.meaning("Bundle id of the app.")
    private static let appName = Shape.text.meaning("Name of the app, for people.")
    private static let appKey = Shape.text.meaning("Public key that is built into the app.")

    private static let openNames = Shape.object([
        "tags?": Shape.list(Shape.text).meaning("Names of tags."),
        "attributes?": Shape.list(Shape.text).meaning("Names of attributes."),
    ]).meaning("Names under which audiences believe phones, though the backend uses them too.")

    private static let pause = Shape.object([
        "reason": Shape.text.meaning("Apple's reason for the refusal."),
        "meaning": Shape.text.meaning("Sentence that explains the reason."),
        "since": Shape.moment.meaning("When the pause began, RFC 3339."),
        "nextTrialAt?": Shape.moment.meaning("When the server tries again, RFC 3339. Absent while the app is halted."),
    ])
    private static let pauses = Shape.object([
        "sandbox?": pause.meaning("Pause of pushes to the sandbox."),
        "production?": pause.meaning("Pause of pushes to production."),
    ])
    private static let formerAppKey = Shape.object([
        "appKey": Shape.text.meaning("The former public key."),
        "until": Shape.moment.meaning("Until when phones may register with it, RFC 3339."),
    ])
    private static let usage = Shape.object([
        "devices": Shape.integer.meaning("Registered devices."),
        "openedNames": Shape.integer.meaning("Activities that only phones have named."),
        "refusedNames": Shape.integer.meaning("Cards that a limit of opened names left without an activity."),
    ])

    private static let newApp = Shape.object(
        [
            "bundleID": bundleID, "name": appName,
            "activities?": openness.meaning(
                "Whether any phone may join activities declared neither public nor private; `private` by default."),
        ], example: #"{"bundleID":"org.example.cup","name":"Cup"}"#)

    private static let createdApp = Shape.object(
        [
            "bundleID": bundleID, "name": appName, "appKey": appKey,
            "apiKey": Shape.text.meaning("First API key of the app. It is shown this once."),
        ],
        example: #"{"bundleID":"org.example.cup","name":"Cup","appKey":"eyot_pk_…","apiKey":"eyot_sk_…"}"#)

    private static let app = Shape.object(
        [
            "bundleID": bundleID, "name": appName, "appKey": appKey,
            "apnsKeys": Shape.list(Shape.named("APNSKey")).meaning("The app's keys for Apple, by environment."),
            "createdAt": Shape.moment.meaning("When the app was declared, RFC 3339."),
            "activities": openness,
            "pauses?": pauses.meaning("Pauses by environment, if Apple refuses the app's pushes."),
            "haltedSince?": Shape.moment.meaning("When the app was halted, RFC 3339. Absent if it is not."),
            "haltedTypes": Shape.list(Shape.text).meaning("Names of the halted types."),
            "openNames?": openNames,
            "formerAppKeys?": Shape.list(formerAppKey).meaning("Former public keys that still open registrations."),
            "usage?": usage.meaning("Parts of the app's limits that phones have used."),
        ],
        example: #"{"bundleID":"org.example.cup","name":"Cup","appKey":"eyot_pk_…","apnsKeys":[],"#
            + #""createdAt":"2022-12-18T15:00:00Z","activities":"private","haltedTypes":[]}"#)

    private static let appKeyRotation = Shape.object(
        [
            "overlapSeconds?": Shape.integer.meaning(
                "Seconds that the former key opens registrations; 180 days by default, at most two years.")
        ], example: #"{"overlapSeconds":15552000}"#)

    private static let privacy = Shape.object(
        ["activities?": openness, "openNames?": openNames],
        example: #"{"activities":"public","openNames":{"tags":["fans"]}}"#)

    private static let teamID = Shape.text.meaning("Apple's id of the team: ten letters and digits.")
    private static let keyID = Shape.text.meaning("Apple's id of the key: ten letters and digits.")

    private static let apnsKey = Shape.object(
        [
            "environment": environment.meaning("Environment of Apple's that the key is for."),
            "teamID": teamID, "keyID": keyID,
            "masterKey": Shape.text.meaning("Id of the server's master key that sealed the private key."),
            "addedAt": Shape.moment.meaning("When the key was stored, RFC 3339."),
        ],
        example: #"{"environment":"sandbox","teamID":"TEAM123456","keyID":"KEY1234567","masterKey":"1a2b","#
            + #""addedAt":"2022-12-18T15:00:00Z"}"#)

    private static let newAPNSKey = Shape.object(
        [
            "teamID": teamID, "keyID": keyID,
            "privateKey": Shape.text.meaning("Text of Apple's `.p8` file. It is never answered."),
        ],
        example: #"{"teamID":"TEAM123456","keyID":"KEY1234567","privateKey":"-----BEGIN PRIVATE KEY-----\n…"}"#)

    static let appSchemas: [(String, JSONValue)] = [
        ("NewApp", newApp), ("CreatedApp", createdApp), ("App", app),
        ("Apps", Shape.page("apps", of: "App", "Apps that the key may read.", next: nil)),
        ("AppMerge", Shape.object(["name": appName], example: #"{"name":"Cup"}"#)),
        ("AppKeyRotation", appKeyRotation), ("Privacy", privacy), ("APNSKey", apnsKey),
        ("APNSKeys", Shape.page("apnsKeys", of: "APNSKey", "The app's keys for Apple, by environment.", next: nil)),
        ("NewAPNSKey", newAPNSKey), ("Change", recorded([:])),
        ("Changes", Shape.page("changes", of: "Change", "Changes of the page, newest first.", next: Shape.nextOlder)),
        ("Access", access),
        ("Accesses", Shape.page("entries", of: "Access", "Entries of the page, newest first.", next: Shape.nextOlder)),
    ]

    // MARK: The audit log

    private static let access = recorded([
        "kind": Shape.word(AccessEntry.Kind.allCases.map(\.rawValue)).meaning(
            "`read` for a read of data about people, `refusal` for a 401, 403 or 429."),
        "repeated?": Shape.integer.meaning("How often the refusal was repeated."),
    ])

    /// Returns the shape of a recorded call, with further members.
    private static func recorded(_ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object([
            "number": Shape.integer.meaning("Number of the entry. It rises."),
            "at": Shape.moment.meaning("When the call was made, RFC 3339."),
            "key": Shape.text.meaning("Id of the key that made the call."),
            "hint": Shape.text.meaning("First characters of that key."),
            "method": Shape.text.meaning("HTTP method of the call."),
            "route": Shape.text.meaning("Path of the call, with the names of its parameters."),
            "subject": Shape.text.meaning("Values that the path named, and what was made."),
            "status": Shape.integer.meaning("HTTP status of the answer."),
            "address?": Shape.text.meaning("IP address of the caller. Absent if it is unknown."),
        ]).object
        var properties = shape?["properties"]?.object
        for (name, value) in more { properties?[name.replacing("?", with: "")] = value }
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }
}

extension OperationDescription {
    static let appNotes: [String: OperationNote] = [
        "GET /healthz": .of("Whether the process is up", 200, "Status"),
        "GET /readyz": .of("Whether it is fit to be sent calls", 200, "Readiness"),
        "GET /metrics": .of(
            "Metrics for Prometheus, on the listener of operations alone", 200, "Metrics", codes: [.routeUnknown]),
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
