import EyotContract
import EyotDomain

/// Shapes of a push that is written by hand.
extension APIDescription {
    private static let newRawPush = Shape.object(
        [
            "environment": Shape.word("sandbox", "production").meaning("Apple's environment of the token."),
            "token": Shape.text.meaning("The token, in hexadecimal digits. It is neither stored nor logged."),
            "payload": Shape.anyObject.meaning("The whole payload as phones get it, with `aps`."),
            "type?": Shape.text.meaning("Type of Live Activity whose newest schema the payload is held against."),
            "pushType?": Shape.text.meaning("Value of `apns-push-type`; `liveactivity` by default."),
            "priority?": Shape.integer(1...10).meaning("Value of `apns-priority`: 1, 5 or 10, which is the default."),
            "expiration?": Shape.integer.meaning("Value of `apns-expiration`, in UNIX seconds."),
            "collapseID?": Shape.text.meaning("Value of `apns-collapse-id`."),
        ],
        example: """
            {"environment":"sandbox","token":"00ff",\
            "payload":{"aps":{"timestamp":1700000000,"event":"end"}}}
            """)

    private static let rawPush = Shape.object([
        "bytes": Shape.integer.meaning("Bytes of the payload as it leaves."),
        "limitBytes": Shape.integer.meaning("The most bytes that Apple takes."),
        "problems": Shape.list(Shape.text).meaning("Why no phone would show the payload."),
        "remarks": Shape.list(Shape.text).meaning("Oddities without a known effect."),
        "headers": Shape.map(Shape.text).meaning("Headers of the push, without the provider token."),
        "verdict?": Shape.word("accepted", "refused", "not processed", "unknown").meaning(
            "What Apple said. Absent for a dry run."),
        "meaning?": Shape.text.meaning("The verdict in words."),
        "status?": Shape.integer.meaning("Apple's status, if it refused the push."),
        "reason?": Shape.text.meaning("Apple's reason, if it refused the push."),
        "deadSince?": Shape.moment.meaning("Since when Apple calls the token dead, RFC 3339."),
    ])

    static let pushSchemas: [(String, JSONValue)] = [("NewRawPush", newRawPush), ("RawPush", rawPush)]
}

extension OperationDescription {
    static let pushNotes: [String: OperationNote] = [
        "POST /v1/raw-pushes": .of(
            "Send a push that was written by hand to one token", takes: "NewRawPush", 200, "RawPush",
            codes: [.activityHalted])
    ]
}
