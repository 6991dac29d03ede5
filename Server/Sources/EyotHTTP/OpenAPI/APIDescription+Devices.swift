import EyotContract
import EyotDomain

/// Shapes of the device plane.
extension APIDescription {
    private static let refusal = Shape.object([
        "code": Shape.text.meaning("Always `identityRefused`."),
        "user": Shape.text.meaning("The user that the phone named."),
        "reason": Shape.text.meaning("Fault of the token, such as `EXPIRED`."),
        "reasonCode": Shape.integer.meaning("Number of the reason, 10 to 28."),
    ]).meaning("Refusal of the user that the phone named. Absent if the user was not refused.")

    private static let kind = Shape.word(
        "setStartToken", "removeStartToken", "cardSeen", "setUpdateToken", "stopTracking", "cardEvent", "running",
        "identify", "logout", "permissions", "profile")
    private static let signature = Shape.text.meaning("JSON Web Token by which the app's backend proves the user.")

    private static let change = Shape.object([
        "sequence": Shape.integer.meaning("Number of the change in its epoch, from 1. It rises."),
        "kind": kind.meaning("Kind of the change. It decides which other members there are."),
        "type?": Shape.text.meaning("Name of the attributes type."),
        "token?": Shape.text.meaning("Push token in hexadecimal digits."),
        "instance?": Shape.text.meaning("ActivityKit's id of the card."),
        "name?": Shape.text.meaning("Name of the card's activity."),
        "event?": Shape.word(CardEvent.allCases.map(\.rawValue)).meaning("Event of the card."),
        "digest?": Shape.text.meaning("Digest of the state that the card shows: 16 hexadecimal digits."),
        "instances?": Shape.list(Shape.text).meaning("ActivityKit's ids of all cards of the type that run now."),
        "user?": Shape.text.meaning("The backend's id of the app's user."),
        "signature?": signature,
        "permissions?": permissions.meaning("Switches for Live Activities in Settings."),
        "tags?": Shape.list(Shape.text).meaning("All tags that the app gives the installation."),
        "attributes?": Shape.anyObject.meaning("All attributes that the app gives the installation, by name."),
    ])

    private static let staleDate = Shape.integer.meaning("When the state gets stale, in UNIX seconds.")
    private static let relevanceScore = Shape.number.meaning("Relevance of the card among the app's cards.")

    private static let card = Shape.object([
        "instance": Shape.text.meaning("ActivityKit's id of the card."),
        "name": Shape.text.meaning("Name under which the phone reported the card."),
        "version": Shape.integer.meaning("Version of the declaration; 0 if nothing is declared yet."),
        "ends": Shape.flag.meaning("Whether the card should end."),
        "contentState?": Shape.anyObject.meaning("State to show. If it is absent, the card keeps its state."),
        "staleDate?": staleDate,
        "dismissalDate?": Shape.integer.meaning("When an ended card leaves the screen, in UNIX seconds."),
        "relevanceScore?": relevanceScore,
        "timestamp": Shape.number.meaning("Time to pass to ActivityKit, in UNIX seconds with a fraction."),
    ])

    // MARK: Bodies and answers

    private static let registration = Shape.object(
        [
            "installation": Shape.text.meaning("Random id that is made at the first launch."),
            "environment": Shape.word("sandbox", "production").meaning("Environment of the build's push tokens."),
            "bundleID": Shape.text.meaning("Bundle id of the app."),
            "osVersion": Shape.text.meaning("Version of iOS, such as `18.1`."),
            "appVersion": Shape.text.meaning("Version and build of the app, such as `1.4 (27)`."),
            "sdkVersion": Shape.text.meaning("Version of the SDK."),
            "permissions": permissions.meaning("Switches for Live Activities in Settings."),
            "user?": Shape.text.meaning("The backend's id of the app's user."),
            "signature?": signature,
            "language?": Shape.text.meaning("Language of the app on the phone, BCP 47."),
        ],
        example: #"{"installation":"5E0F3C0A","environment":"sandbox","bundleID":"org.example.worldcup","#
            + #""osVersion":"18.1","appVersion":"1.0 (1)","sdkVersion":"0.1","#
            + #""permissions":{"activities":true,"frequentPushes":true},"user":"user-1"}"#)

    private static let credentials = Shape.object(
        [
            "device": Shape.text.meaning("Id of the device."),
            "secret": Shape.text.meaning("The device's secret, which its further calls carry."),
            "epoch": Shape.integer.meaning("Epoch in which the device numbers its changes."),
            "identity?": refusal,
        ], example: #"{"device":"1","secret":"eyot_dk_…","epoch":1}"#)

    private static let deviceChanges = Shape.object(
        [
            "epoch": Shape.integer.meaning("Epoch that the registration answered."),
            "changes": Shape.list(change, atMost: DeviceLimits.changesPerBatch).meaning(
                "Changes, in the order in which they happened on the phone."),
            "joinSecrets?": Shape.map(Shape.text).meaning(
                "Join secrets of the private activities that the changes name, by activity."),
        ],
        example: #"{"epoch":1,"changes":[{"sequence":1,"kind":"setStartToken","type":"MatchAttributes","#
            + #""token":"00ff00ff"}]}"#)

    private static let takenChanges = Shape.object(
        [
            "applied": Shape.integer.meaning("Sequence up to which the changes of the epoch are applied."),
            "cards": Shape.list(card).meaning("State that each card named in the changes should show now."),
            "identity?": refusal,
        ], example: #"{"applied":1,"cards":[]}"#)

    private static let activityName = Shape.text.meaning("Name of the activity.")
    private static let shownSecret = Shape.text.meaning("Join secret of the activity, if it is private.")

    private static let cardAdvice = Shape.object(
        [
            "version": Shape.integer.meaning("Version of the declaration."),
            "contentState": Shape.anyObject.meaning("State to show: the newest for everyone."),
            "attributes?": Shape.anyObject.meaning("Attributes with which the backend starts cards."),
            "staleDate?": staleDate, "relevanceScore?": relevanceScore,
        ], example: #"{"version":1,"contentState":{"homeScore":0,"awayScore":0,"clock":"1"}}"#)

    static let deviceSchemas: [(String, JSONValue)] = [
        ("Registration", registration), ("Credentials", credentials), ("DeviceChanges", deviceChanges),
        ("TakenChanges", takenChanges),
        (
            "ChannelQuestion",
            Shape.object(["name": activityName, "joinSecret?": shownSecret], example: #"{"name":"final-2022"}"#)
        ),
        (
            "ChannelAdvice",
            Shape.object(
                ["channel": Shape.text.meaning("Apple's id of the channel that the card can follow.")],
                example: #"{"channel":"dHN0LXNyY2gtY2hubA=="}"#)
        ),
        (
            "CardQuestion",
            Shape.object(
                [
                    "name": activityName, "type": Shape.text.meaning("Name of the attributes type."),
                    "joinSecret?": shownSecret,
                ], example: #"{"name":"final-2022","type":"MatchAttributes"}"#)
        ),
        ("CardAdvice", cardAdvice),
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
            "Tell what happened on the phone", takes: "DeviceChanges", 200, "TakenChanges",
            codes: [.epochOutdated, .historyChanged]),
        "POST /v1/device/channel": .of(
            "Ask which channel a card can follow", takes: "ChannelQuestion", 200, "ChannelAdvice",
            codes: [.channelUnknown]),
        "POST /v1/device/card": .of(
            "Ask what a card shows that the app is about to start", takes: "CardQuestion", 200, "CardAdvice",
            codes: [.activityUnknown, .activityEnded, .activityHalted, .typeMismatch]),
    ]
}
