import EyotContract
import EyotDomain

/// Shapes of what happened.
extension APIDescription {
    private static let conclusion = Shape.object([
        "starting": Shape.integer.meaning("Devices of the audience that got a card."),
        "skipped": Shape.integer.meaning("Devices of the audience that got none."),
        "accepted": Shape.integer.meaning("Pushes of the activity that Apple accepted meanwhile."),
        "refused": Shape.integer.meaning("Pushes of the activity that Apple refused meanwhile."),
        "unknown": Shape.integer.meaning("Pushes of the activity without an answer meanwhile."),
        "superseded": Shape.integer.meaning("States that a newer one superseded before they were pushed."),
    ])

    private static let event = Shape.object(
        [
            "id": Shape.text.meaning("Id of the event. Ids rise; send one as `after` to go on."),
            "at": Shape.moment.meaning("When it happened, RFC 3339."),
            "type": Shape.word(EventKind.allCases.map(\.rawValue)).meaning("Kind of the event."),
            "activity?": Shape.text.meaning("Name of the activity. Absent if the event is about none."),
            "generation?": Shape.integer.meaning("Generation of that name."),
            "ordinal?": Shape.integer.meaning("Number of the card in its activity."),
            "device?": Shape.text.meaning("Id of the device."),
            "user?": Shape.text.meaning("Your id of the device's user at that time."),
            "version?": Shape.integer.meaning("Version that was declared, refused, or accepted last for the card."),
            "reason?": Shape.text.meaning("Why, as a word of Eyot or of Apple."),
            "apnsId?": Shape.text.meaning("Id of the push at Apple, of a push that Apple accepted."),
            "tokenFingerprint?": Shape.text.meaning("First and last digits of the token that the event is about."),
            "token?": Shape.text.meaning(
                "The whole token, if the key has `tokens:read` and the device still has the token."),
            "operation?": Shape.text.meaning("Id of the operation that the event is about."),
            "counts?": conclusion.meaning("What the operation came to. Absent if it is no longer kept."),
            "requestId?": requestID, "callerRequestId?": callerRequestID,
            "call?": Shape.text.meaning("Method and route of a call that was refused."),
            "status?": Shape.integer.meaning("HTTP status that a refused call was answered with."),
            "field?": Shape.text.meaning("Member of a refused call that was wrong, as a path."),
            "key?": Shape.text.meaning("Id of the key of a refused call."),
            "text": Shape.text.meaning("Sentence that says what happened."),
        ],
        example: #"{"id":"41","at":"2022-12-18T16:23:07Z","type":"card.dismissed","activity":"final-2022","#
            + #""generation":1,"ordinal":7,"device":"7","user":"user-1","version":3,"#
            + #""text":"The person removed the card."}"#)

    private static let log = Shape.object([
        "entries": Shape.list(Shape.named("Event")).meaning("Events, newest first."),
        "next?": Shape.text.meaning("Value of `before` for earlier events. Absent if there are none."),
    ])

    private static let finding = Shape.object([
        "code": Shape.word(FindingCode.allCases.map(\.rawValue)).meaning("Stable name of the finding."),
        "sentence": Shape.text.meaning("What is wrong with the phone, or that nothing is."),
        "confidence": Shape.word(Finding.Confidence.allCases.map(\.rawValue)).meaning("How sure the finding is."),
        "evidence": Shape.list(Shape.text).meaning("What it was concluded from, a sentence each."),
        "remedy?": Shape.text.meaning("What to do about it. Absent if there is nothing to do."),
    ])

    private static let otherPhone = Shape.object([
        "device": Shape.text.meaning("Id of the device."),
        "finding": Shape.named("Finding").meaning("The finding for this phone."),
    ])

    private static let storyEntry = Shape.object([
        "at": Shape.moment.meaning("When it happened, RFC 3339."),
        "event": Shape.text.meaning("What happened: a kind of event, `push.accepted`, `start.sent` or `card.shown`."),
        "text": Shape.text.meaning("Sentence that says what happened."),
        "version?": Shape.integer.meaning("Version that it is about."),
        "reason?": Shape.text.meaning("Why, as a word of Eyot or of Apple."),
        "apnsId?": Shape.text.meaning("Id of the push at Apple."),
        "superseded?": Shape.list(Shape.integer).meaning("Versions that never left, because this one was newer."),
        "operation?": Shape.text.meaning("Id of the operation that declared the version."),
        "requestId?": requestID, "callerRequestId?": callerRequestID,
        "key?": Shape.text.meaning("Id of the key that declared the version."),
    ])

    private static let explanation = Shape.object([
        "device?": Shape.text.meaning("Id of the device that is explained. Absent if no phone is known."),
        "finding": Shape.named("Finding").meaning("The explanation of what the phone shows."),
        "story": Shape.list(storyEntry).meaning("What happened to the phone and the activity, oldest first."),
        "others?": Shape.list(otherPhone).meaning("Findings for the user's other phones."),
        "cards?": Shape.list(explainedCard, atMost: 20).meaning(
            "The newest cards on the phones, newest first. Absent if an activity is asked about."),
    ])

    private static let explainedCard = Shape.object([
        "activity": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the activity."),
        "device": Shape.text.meaning("Id of the device."),
        "ordinal": Shape.integer.meaning("Number of the card in the activity."),
        "phase": Shape.text.meaning("Phase of the card."),
        "desired": Shape.integer.meaning("Version that the card should show."),
        "accepted": Shape.integer.meaning("Version that Apple accepted last for the card."),
        "shown?": Shape.anyObject.meaning("What the phone last reported of the card: `version` and `at`."),
        "behindSince?": Shape.moment.meaning("Since when the card is behind, RFC 3339. Absent if it is not."),
        "finding": Shape.named("Finding").meaning("The explanation of what the card shows."),
    ])

    static let eventSchemas: [(String, JSONValue)] = [
        ("Event", event), ("Log", log), ("Finding", finding), ("Explanation", explanation),
        (
            "Findings",
            Shape.object([
                "findings": Shape.list(Shape.named("Finding")).meaning("Empty if nothing keeps Eyot from pushing.")
            ])
        ),
    ]
}

extension OperationDescription {
    static let eventNotes: [String: OperationNote] = [
        "GET /v1/events": .of(
            "Read events, oldest first, a line each", 200, "Event",
            codes: [.activityUnknown, .userUnknown, .deviceUnknown]),
        "GET /v1/findings": .of(
            "List what keeps an app from being pushed to", 200, "Findings", codes: [.activityUnknown]),
        "GET /v1/why": .of(
            "Explain what a phone shows", 200, "Explanation",
            codes: [.activityUnknown, .deviceUnknown, .fieldMissing]),
        "GET /v1/log": .of(
            "Read what happened lately, newest first", 200, "Log",
            codes: [.activityUnknown, .userUnknown, .deviceUnknown]),
    ]
}
