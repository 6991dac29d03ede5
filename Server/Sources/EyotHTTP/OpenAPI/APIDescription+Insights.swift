import EyotContract
import EyotDomain

/// Shapes of numbers over time.
extension APIDescription {
    private static let funnel = Shape.object([
        "targeted": Shape.integer.meaning("Devices of start calls. A device counts once for each call."),
        "eligible": Shape.integer.meaning("Those that got a place."),
        "skipped": countsByName.meaning("Those that got none, by reason."),
        "startsAccepted": Shape.integer.meaning("Starts that Apple accepted."),
        "startsExpired": Shape.integer.meaning("Starts that led to no card in time."),
        "startsRefused": Shape.integer.meaning("Starts that Apple refused for good."),
        "appeared": Shape.integer.meaning("Cards that phones have reported."),
        "appearedByPush": Shape.integer.meaning("Those that a push started."),
        "appearedByApp": Shape.integer.meaning("Those that the app started."),
        "withToken": Shape.integer.meaning("Cards that have got a token to push to."),
        "updated": Shape.integer.meaning("Cards with a first update that Apple accepted."),
        "reporting": Shape.integer.meaning("Cards with a first report of what they show."),
        "shown": Shape.integer.meaning("Cards that reported a declared state for the first time."),
        "tapped": Shape.integer.meaning("Taps on cards that opened the app. Each tap counts."),
        "ended": Shape.integer.meaning("Cards that came to their end, by an accepted end or by their phones' reports."),
        "endedByPhone": Shape.integer.meaning("Cards that their apps or iOS ended."),
        "dismissed": Shape.integer.meaning("Cards that their persons have removed."),
        "lifetimeOver": Shape.integer.meaning("Cards that iOS ended because their eight hours were over."),
        "neverAllowed": Shape.integer.meaning("Cards that were over before their persons allowed updates."),
    ])

    private static let hour = Shape.object([
        "at": Shape.moment.meaning("When the hour began, RFC 3339."),
        "seconds": Shape.integer.meaning("How long it is: 3600, or 86400 after 30 days."),
        "funnel": funnel.meaning("The way of the cards in this hour."),
        "accepted": acceptedPushes.meaning("What Apple said of the pushes."),
        "broadcasts": broadcastAnswers.meaning("What Apple said of broadcasts. Each reaches all cards of a channel."),
        "shownAge": agesOfReport.meaning("Seconds from a declaration until a phone reported that it shows it."),
        "alerts": alertFates.meaning("Alerts by what became of them."),
        "by?": Shape.map(Shape.map(rowOfReport)).meaning("Some numbers by the property that `by` names."),
    ])

    private static let typeReport = Shape.object([
        "type": Shape.text.meaning("Name of the attributes type."),
        "since": Shape.moment.meaning("When the first hour begins, RFC 3339."),
        "until": Shape.moment.meaning("When the last hour ends, RFC 3339."),
        "funnel": funnel.meaning("The way of the cards, from the calls that wanted them to their ends."),
        "accepted": acceptedPushes.meaning("What Apple said of the pushes. It says nothing of screens."),
        "broadcasts": broadcastAnswers.meaning("What Apple said of broadcasts. Each reaches all cards of a channel."),
        "shownAge": agesOfReport.meaning("Seconds from a declaration until a phone reported that it shows it."),
        "alerts": alertFates.meaning("Alerts by what became of them."),
        "by": dimensions.meaning("Some numbers by properties of the phones. `other` stands for further values."),
        "hours": Shape.list(hour).meaning("The numbers of each hour that has any, oldest first."),
        "warnings?": Shape.list(Shape.text).meaning("Why there are no numbers. Absent if there are."),
    ])

    private static let levels = Shape.object([
        "devices": Shape.integer.meaning("Devices that are known."),
        "activitiesOn": Shape.integer.meaning("Those that allow Live Activities."),
        "startToken": Shape.integer.meaning("Those with a start token in use."),
        "identified": Shape.integer.meaning("Those with a user."),
    ])

    private static let point = Shape.object([
        "at": Shape.moment.meaning("When the bucket began, RFC 3339."),
        "seconds": Shape.integer.meaning("How long it is."),
        "devices": Shape.integer.meaning("Devices that were known at its end, or are now."),
        "activitiesOn": Shape.integer.meaning("Those that allowed Live Activities."),
        "startToken": Shape.integer.meaning("Those with a start token in use."),
        "identified": Shape.integer.meaning("Those with a user."),
        "by": Shape.object([
            "os": Shape.map(levels).meaning("By the major version of iOS."),
            "build": Shape.map(levels).meaning("By the version of the app."),
            "language": Shape.map(levels).meaning("By the language of the app; `unknown` if it has named none."),
            "environment": Shape.map(levels).meaning("By Apple's environment."),
        ]).meaning("The same numbers by properties of the phones. `other` stands for further values."),
    ])

    private static let adoption = Shape.object([
        "since": Shape.moment.meaning("When the first day begins, RFC 3339."),
        "until": Shape.moment.meaning("When the last day ends, RFC 3339."),
        "bucket": Shape.word("day", "week").meaning("The steps of time."),
        "points": Shape.list(point).meaning("The numbers at the end of each bucket, oldest first."),
    ])

    private static let watchedActivity = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "watched": Shape.flag.meaning("Whether it has metrics of its own."),
    ])

    static let insightSchemas: [(String, JSONValue)] = [
        ("TypeReport", typeReport), ("Adoption", adoption), ("WatchedActivity", watchedActivity),
    ]
}

extension OperationDescription {
    static let insightNotes: [String: OperationNote] = [
        "POST /v1/activities/{name}/watch": .of(
            "Give an activity metrics of its own", 200, "WatchedActivity", codes: [.activityUnknown, .tooManyWatched]),
        "POST /v1/activities/{name}/unwatch": .of(
            "End the metrics of an activity", 200, "WatchedActivity", codes: [.activityUnknown]),
        "GET /v1/insights/types/{type}": .of(
            "Read what has happened to the cards of a type, by hour", 200, "TypeReport"),
        "GET /v1/insights/adoption": .of(
            "Read how many devices can show Live Activities, over time", 200, "Adoption"),
    ]
}
