import EyotContract
import EyotDomain

/// Shapes of the device plane.
extension APIDescription {
    private static let refusal = Shape.object(
        ["code": Shape.text, "user": Shape.text, "reason": Shape.text, "reasonCode": Shape.integer])

    private static let change = Shape.object(
        [
            "sequence": Shape.integer,
            "kind": Shape.word(
                "setStartToken", "removeStartToken", "cardSeen", "setUpdateToken", "stopTracking", "cardEvent",
                "running", "identify", "logout", "permissions", "profile"),
            "type?": Shape.text, "token?": Shape.text, "instance?": Shape.text, "name?": Shape.text,
            "event?": Shape.word(CardEvent.allCases.map(\.rawValue)), "digest?": Shape.text,
            "instances?": Shape.list(Shape.text), "user?": Shape.text, "signature?": Shape.text,
            "permissions?": permissions, "tags?": Shape.list(Shape.text), "attributes?": Shape.anyObject,
        ])

    private static let card = Shape.object(
        [
            "instance": Shape.text, "name": Shape.text, "version": Shape.integer, "ends": Shape.flag,
            "contentState?": Shape.anyObject, "staleDate?": Shape.integer, "dismissalDate?": Shape.integer,
            "relevanceScore?": Shape.number, "timestamp": Shape.number,
        ])

    static let deviceSchemas: [(String, JSONValue)] = [
        (
            "Registration",
            Shape.object(
                [
                    "installation": Shape.text, "environment": Shape.word("sandbox", "production"),
                    "bundleID": Shape.text, "osVersion": Shape.text, "appVersion": Shape.text,
                    "sdkVersion": Shape.text, "permissions": permissions, "user?": Shape.text,
                    "signature?": Shape.text, "language?": Shape.text,
                ],
                example: #"{"installation":"5E0F3C0A","environment":"sandbox","bundleID":"org.example.worldcup","#
                    + #""osVersion":"18.1","appVersion":"1.0 (1)","sdkVersion":"0.1","#
                    + #""permissions":{"activities":true,"frequentPushes":true},"user":"user-1"}"#)
        ),
        (
            "Credentials",
            Shape.object(
                ["device": Shape.text, "secret": Shape.text, "epoch": Shape.integer, "identity?": refusal],
                example: #"{"device":"1","secret":"eyot_dk_…","epoch":1}"#)
        ),
        (
            "DeviceChanges",
            Shape.object(
                [
                    "epoch": Shape.integer, "changes": Shape.list(change, atMost: DeviceLimits.changesPerBatch),
                    "joinSecrets?": Shape.map(Shape.text),
                ],
                example: #"{"epoch":1,"changes":[{"sequence":1,"kind":"setStartToken","type":"MatchAttributes","#
                    + #""token":"00ff00ff"}]}"#)
        ),
        (
            "TakenChanges",
            Shape.object(
                ["applied": Shape.integer, "cards": Shape.list(card), "identity?": refusal],
                example: #"{"applied":1,"cards":[]}"#)
        ),
        (
            "ChannelQuestion",
            Shape.object(["name": Shape.text, "joinSecret?": Shape.text], example: #"{"name":"final-2022"}"#)
        ),
        ("ChannelAdvice", Shape.object(["channel": Shape.text], example: #"{"channel":"dHN0LXNyY2gtY2hubA=="}"#)),
        (
            "CardQuestion",
            Shape.object(
                ["name": Shape.text, "type": Shape.text, "joinSecret?": Shape.text],
                example: #"{"name":"final-2022","type":"MatchAttributes"}"#)
        ),
        (
            "CardAdvice",
            Shape.object(
                [
                    "version": Shape.integer, "contentState": Shape.anyObject, "attributes?": Shape.anyObject,
                    "staleDate?": Shape.integer, "relevanceScore?": Shape.number,
                ], example: #"{"version":1,"contentState":{"homeScore":0,"awayScore":0,"clock":"1"}}"#)
        ),
    ]
}

extension OperationDescription {
    static let deviceNotes: [String: OperationNote] = [
        "POST /v1/device/register": OperationNote(
            "Register an installation", takes: Shape.named("Registration"),
            answers: [
                OperationNote.Success(201, Shape.named("Credentials")),
                OperationNote.Success(200, Shape.named("Credentials")),
            ], codes: [.installationTaken, .tooManyRegistrations]),
        "POST /v1/device/changes": .of(
            "Tell what happened on the phone", takes: "DeviceChanges", 200, "TakenChanges", codes: [.epochOutdated]),
        "POST /v1/device/channel": .of(
            "Ask which channel a card can follow", takes: "ChannelQuestion", 200, "ChannelAdvice",
            codes: [.channelUnknown]),
        "POST /v1/device/card": .of(
            "Ask what a card shows that the app is about to start", takes: "CardQuestion", 200, "CardAdvice",
            codes: [.activityUnknown, .activityEnded, .activityHalted, .typeMismatch]),
    ]
}
