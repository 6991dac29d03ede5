import EyotContract
import EyotDomain

/// Shapes of what operators look at.
extension APIDescription {
    private static let maybe: JSONValue = ["type": ["number", "null"]]

    private static let shownNow = Shape.object([
        "newest": Shape.integer.meaning("Cards that last reported the newest state for them."),
        "reporting": Shape.integer.meaning("Cards that run with a phone that has reported what it shows."),
        "stale": Shape.integer.meaning("Those that show a state whose stale date has passed, so iOS shows them grey."),
        "unknown": Shape.integer.meaning("Cards that run with a phone that has reported nothing of them."),
    ])

    private static let whole: KeyValuePairs<String, JSONValue> = [
        "at": Shape.moment.meaning("When it was read, RFC 3339."),
        "running": Shape.integer.meaning("Activities that have not ended."),
        "cards": Shape.integer.meaning("Cards that run."),
        "isComplete": Shape.flag.meaning("False if more than 20,000 activities run. The smallest are left out then."),
        "behindSeconds": maybe.meaning("Seconds for which a card can have been behind; null if nothing is due."),
        "stateAge": ages.meaning("State ages of the last minute, of the activities listed."),
        "shown": shownNow.meaning("What phones show, of the activities listed."),
        "accepted": Shape.integer.meaning("Pushes of the last minute that Apple accepted."),
        "refused": Shape.integer.meaning("Pushes of the last minute that Apple refused."),
        "activities": Shape.list(Shape.named("RunningActivity")).meaning("Activities, worst first; at most 50."),
        "others": Shape.list(smallOnes).meaning("The other activities, by type; at most 20 types."),
        "planned": Shape.list(planned).meaning("Activities with starts in the next 12 hours, soonest first."),
    ]

    private static let smallOnes = Shape.object([
        "name": Shape.text.meaning("Name of the newest of them."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "activities": Shape.integer.meaning("Number of activities."),
        "cards": Shape.integer.meaning("Cards that run."),
    ])

    private static let planned = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "startsAt?": Shape.moment.meaning("The latest planned start, RFC 3339."),
        "starting": Shape.integer.meaning("Places that wait for their start."),
    ])

    private static let runningActivity = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name."),
        "version": Shape.integer.meaning("Version of the newest declaration; 0 if there is none."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "cards": Shape.integer.meaning("Cards that run."),
        "halt?": halt.meaning("Halt that holds the activity. Absent if it is not halted."),
        "canary?": canary.meaning("Progress of the newest declaration for everyone, if it is or was a canary."),
        "behindSeconds": maybe.meaning("Seconds for which a card can have been behind; null if nothing is due."),
        "stateAge": ages.meaning("State ages of the last minute."),
        "shown": shownNow.meaning("What phones show."),
        "accepted": Shape.integer.meaning("Pushes of the last minute that Apple accepted."),
        "refused": Shape.integer.meaning("Pushes of the last minute that Apple refused."),
        "recent": Shape.list(maybe).meaning(
            "The longest state age of each 5 minutes of the last 2 hours, oldest first; null without a push."),
        "declaredAt?": Shape.moment.meaning("When the newest declaration was accepted, RFC 3339."),
        "operation?": Shape.text.meaning("Id of the operation that made it, while it is kept."),
        "key?": Shape.text.meaning("Id of the key that made it."),
        "keyName?": Shape.text.meaning("Name of that key, while there is one."),
    ])

    private static let declarationEntry = Shape.object([
        "version": Shape.integer.meaning("Version of the declaration."),
        "kind": Shape.word("state", "end").meaning("Whether it declares a state or the end."),
        "acceptedAt": Shape.moment.meaning("When it was accepted, RFC 3339."),
        "members?": Shape.integer.meaning("Replicas in its scope. Absent if it is for everyone."),
        "contentState?": Shape.anyObject.meaning("The state. Absent if an end keeps the last one."),
        "attributes?": Shape.anyObject.meaning("The attributes of the cards that it starts."),
        "alert?": Shape.anyObject.meaning("The alert."),
        "urgent?": Shape.flag.meaning("True if it does not wait for spacing."),
        "asOf?": Shape.moment.meaning("When the state was true, RFC 3339, if its caller said it."),
        "releasedAt?": Shape.moment.meaning("When it went on to everyone after a canary, RFC 3339."),
        "operation?": Shape.text.meaning("Id of the operation that made it, while it is kept."),
        "verb?": Shape.word("start", "update", "end", "put").meaning("The call that made it."),
        "key?": Shape.text.meaning("Id of the key that made it."),
        "keyName?": Shape.text.meaning("Name of that key, while there is one."),
    ])

    private static let declarationList = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name."),
        "version": Shape.integer.meaning("Version of the newest declaration; 0 if there is none."),
        "declarations": Shape.list(Shape.named("DeclarationEntry")).meaning("Declarations, newest first."),
        "next?": Shape.nextOlder,
    ])

    private static let reportHeading = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name."),
        "version": Shape.integer.meaning("Version of the newest declaration; 0 if there is none."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "state": Shape.word("active", "ended", "undeclared").meaning("State of the activity."),
        "createdAt": Shape.moment.meaning("When the generation was made, RFC 3339."),
        "endedAt?": Shape.moment.meaning("When the activity ended, RFC 3339."),
        "keptSince?": Shape.moment.meaning("When the activity was removed, RFC 3339. Absent while it is there."),
    ])

    static let overviewSchemas: [(String, JSONValue)] = [
        ("Overview", Shape.object(whole)), ("RunningActivity", runningActivity),
        ("DeclarationEntry", declarationEntry), ("DeclarationList", declarationList),
        ("ReportHeading", reportHeading),
        ("Reports", Shape.page("reports", of: "ReportHeading", "Reports, newest first.", next: Shape.nextOlder)),
    ]
}

extension OperationDescription {
    static let overviewNotes: [String: OperationNote] = [
        "GET /v1/overview": .of("What runs in the app, worst first", 200, "Overview"),
        "GET /v1/activities/{name}/declarations": .of(
            "List the declarations of an activity", 200, "DeclarationList", codes: [.activityUnknown]),
        "GET /v1/reports": .of("List the activities that have a report", 200, "Reports"),
    ]
}
