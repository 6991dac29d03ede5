import EyotContract
import EyotDomain

/// Shapes of API keys and of proofs of identity.
extension APIDescription {
    private static let environment = Shape.word("sandbox", "production").meaning(
        "The only environment of Apple's with phones that the key reaches. Absent for both.")
    private static let scopes = Shape.list(Shape.word(KeyScope.allCases.map(\.rawValue)))

    // MARK: Keys

    private static let keyName = Shape.text.meaning("Name of the key, for people.")
    private static let plane = Shape.named("KeyPlane").meaning("The vendor whose API the key is for.")
    private static let identifier = Shape.text.meaning(
        "Name that callers send beside the secret: Airship's app key or Braze's app id.")
    private static let publicKey = Shape.text.meaning(
        "Public key as PEM, curve P-384, by which Airship's callers prove themselves.")
    private static let addresses = Shape.list(Shape.text).meaning(
        "IP addresses and ranges from which the key works. Absent for all.")
    private static let expiresAt = Shape.moment.meaning("When the key ends, RFC 3339. Absent if it has no end.")

    /// Returns the shape of a key, with further members.
    private static func key(_ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object([
            "id": Shape.text.meaning("Id of the key."),
            "name": keyName,
            "hint": Shape.text.meaning("First characters of the secret."),
            "createdAt": Shape.moment.meaning("When the key was made, RFC 3339."),
            "plane?": plane, "identifier?": identifier, "publicKey?": publicKey,
            "app?": Shape.text.meaning("Bundle id of the key's app. Absent for an operator's key."),
            "addresses?": addresses, "environment?": environment,
            "scopes?": scopes.meaning("Scopes of the key. Absent if it may make every call."),
            "expiresAt?": expiresAt,
            "lastUsedAt?": Shape.moment.meaning("When the key was last used, RFC 3339, to within a minute."),
            "revokedAt?": Shape.moment.meaning("When the key was revoked, RFC 3339. Absent if it is not."),
        ]).object
        var properties = shape?["properties"]?.object
        for (name, value) in more { properties?[name] = value }
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }

    private static let secret = Shape.text.meaning("The key itself. It is shown this once.")
    private static let rotatedKey = key([
        "key": secret, "replaces": Shape.named("Key").meaning("The old key, with the end of the overlap."),
    ])

    private static let newKey = Shape.object(
        [
            "name": keyName, "plane?": plane,
            "scopes?": Shape.list(Shape.named("KeyScope")).meaning("Scopes of the key; by default those of its maker."),
            "expiresAt?": expiresAt, "identifier?": identifier, "publicKey?": publicKey,
            "addresses?": Shape.list(Shape.text).meaning(
                "IP addresses and ranges from which the key works; by default those of its maker."),
            "environment?": environment,
        ], example: #"{"name":"ci","scopes":["activities:read"],"expiresAt":"2099-01-01T00:00:00Z"}"#)

    private static let rotation = Shape.object(
        [
            "overlapSeconds?": Shape.integer(0...2_592_000).meaning(
                "Seconds for which the old key still works; a day by default.")
        ], example: #"{"overlapSeconds":3600}"#)

    // MARK: Identities

    private static let mode = Shape.word("off", "report", "require").meaning(
        "Treatment of phones that name a user and do not prove it.")

    private static let identity = Shape.object(
        [
            "mode": mode,
            "isDefault?": Shape.flag.meaning("True if the mode was never set."),
            "keys": Shape.list(Shape.named("IdentityKey")).meaning("Public keys that check proofs; at most three."),
            "failures": Shape.integer.meaning("Number of failed proofs."),
            "terms": Shape.named("ProofTerms").meaning("Further conditions on a token."),
        ],
        example: #"{"mode":"off","isDefault":true,"keys":[],"failures":0,"#
            + #""terms":{"longestSeconds":31622400,"oneDevice":false}}"#)

    private static let proofTerms = Shape.object(
        [
            "issuer?": Shape.text.meaning("The `iss` that a token has to have; any by default."),
            "audience?": Shape.text.meaning("The `aud` that a token has to name; any by default."),
            "longestSeconds?": Shape.integer.meaning("Seconds that `exp` may be ahead; 31,622,400 by default."),
            "oneDevice?": Shape.flag.meaning("Whether a token proves nothing on a second phone; false by default."),
        ],
        example: #"{"issuer":"https://shop.example.org","audience":"org.example.cup","longestSeconds":3600}"#)

    private static let unprovenPage = Shape.object(
        ["after?": Shape.text.meaning("The `next` of the answer before. Absent in the first call.")],
        example: #"{"after":"200"}"#)
    private static let droppedUsers = Shape.object(
        [
            "dropped": Shape.integer.meaning("Number of users that were taken away from phones."),
            "next?": Shape.text.meaning("Value of `after` for the next call; absent at the end."),
        ], example: #"{"dropped":2}"#)

    private static let pem = Shape.text.meaning("Public key as PEM: RSA of at least 2,048 bits, or P-256.")
    private static let newIdentityKey = Shape.object(
        ["publicKey": pem], example: #"{"publicKey":"-----BEGIN PUBLIC KEY-----\n…"}"#)
    private static let identityKey = Shape.object([
        "id": Shape.text.meaning("Id of the key, as its path names it."),
        "algorithm": Shape.text.meaning("Algorithm of the signatures: `RS256` or `ES256`."),
        "publicKey": pem,
        "addedAt": Shape.moment.meaning("When the key was stored, RFC 3339."),
    ])

    private static let identityFailure = Shape.object([
        "number": Shape.integer.meaning("Number of the failure. It rises."),
        "at": Shape.moment.meaning("When the proof failed, RFC 3339."),
        "device": Shape.text.meaning("Id of the device."),
        "user": Shape.text.meaning("The user that the phone named."),
        "reason": Shape.text.meaning("Reason in Braze's words, such as `EXPIRED`."),
        "reasonCode": Shape.integer.meaning("Braze's number of the reason, 10 to 28."),
        "isRefused": Shape.flag.meaning("Whether the user was refused. Otherwise the phone was believed."),
    ])

    static let keySchemas: [(String, JSONValue)] = [
        ("Key", key([:])), ("CreatedKey", key(["key": secret])), ("RotatedKey", rotatedKey),
        ("Keys", Shape.page("keys", of: "Key", "All valid keys, and the newest that are not valid.", next: nil)),
        ("NewKey", newKey), ("Rotation", rotation), ("Identity", identity), ("ProofTerms", proofTerms),
        ("NewIdentityMode", Shape.object(["mode": mode], example: #"{"mode":"report"}"#)),
        ("UnprovenPage", unprovenPage), ("DroppedUsers", droppedUsers), ("NewIdentityKey", newIdentityKey),
        ("IdentityKey", identityKey), ("IdentityFailure", identityFailure),
        (
            "IdentityFailures",
            Shape.page(
                "failures", of: "IdentityFailure", "Failed proofs of the page, newest first.", next: Shape.nextOlder)
        ),
    ]
}
