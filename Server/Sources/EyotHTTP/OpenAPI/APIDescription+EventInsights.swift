import EyotCommands
import EyotContract
import EyotDomain

/// Shapes of counts of events.
extension APIDescription {
    private static let point = Shape.object([
        "at": Shape.moment.meaning("When the hour or day begins, RFC 3339."),
        "count": Shape.integer.meaning("Events in it."),
    ])

    private static let row = Shape.object([
        "type": Shape.word(EventKind.recorded.map(\.rawValue) + EventInsight.Question.counterNames.values.sorted())
            .meaning("Kind of the events, or `start.skipped` or `update.superseded`, which are no events."),
        "reason?": Shape.text.meaning("Their reason. Absent if they have none."),
        "total": Shape.integer.meaning("Events in the whole range."),
        "series": Shape.list(point).meaning("Events over time, oldest first. Times without an event are left out."),
    ])

    private static let insight = Shape.object([
        "since": Shape.moment.meaning("Where the range begins, RFC 3339."),
        "until": Shape.moment.meaning("Where the range ends, RFC 3339. It is not part of the range."),
        "bucket": Shape.word(EventInsight.Bucket.allCases.map(\.rawValue)).meaning("Length of a step of the series."),
        "events": Shape.list(row).meaning("Kinds that have happened, by reason."),
    ])

    private static let person = Shape.object([
        "device": Shape.text.meaning("Id of the device."),
        "user?": Shape.text.meaning("Your id of the device's user at that time."),
        "count": Shape.integer.meaning("Events of the device on this page."),
        "firstAt": Shape.moment.meaning("When the first of them happened, RFC 3339."),
        "lastAt": Shape.moment.meaning("When the last of them happened, RFC 3339."),
    ])

    private static let people = Shape.object([
        "people": Shape.list(person).meaning("Devices with such events, in the order of their first event."),
        "next?": Shape.next,
    ])

    static let eventInsightSchemas: [(String, JSONValue)] = [("EventInsight", insight), ("PeopleOfEvent", people)]
}

extension OperationDescription {
    static let eventInsightNotes: [String: OperationNote] = [
        "GET /v1/insights/events": .of(
            "Count events by kind and reason over time", 200, "EventInsight",
            codes: [.activityUnknown, .dateOutOfRange]),
        "GET /v1/insights/not-sent": .of(
            "Count why starts and updates were not sent, by reason over time", 200, "EventInsight",
            codes: [.dateOutOfRange]),
        "GET /v1/insights/events/{kind}/people": .of(
            "List the devices and users that an event happened to", 200, "PeopleOfEvent",
            codes: [.dateOutOfRange]),
    ]
}
