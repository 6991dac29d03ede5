import EyotContract
import EyotDomain

/// Shapes of reports.
extension APIDescription {
    private static let maybe: JSONValue = ["type": ["number", "null"]]
    static let countsByName = Shape.map(Shape.integer)

    static let ages = Shape.object([
        "count": Shape.integer.meaning("Number of ages."),
        "p50": maybe.meaning("Median in seconds; null without ages."),
        "p95": maybe.meaning("95th percentile in seconds; null without ages."),
        "p99": maybe.meaning("99th percentile in seconds; null without ages."),
        "max": maybe.meaning("Maximum in seconds; null without ages."),
    ])

    static let agesOfReport = Shape.object([
        "count": Shape.integer.meaning("Number of ages."),
        "p50": maybe.meaning("Median in seconds; null without ages."),
        "p95": maybe.meaning("95th percentile in seconds; null without ages."),
        "p99": maybe.meaning("99th percentile in seconds; null without ages."),
        "max": maybe.meaning("Maximum in seconds; null without ages."),
        "within5s": Shape.integer.meaning("How many were at most 5 seconds, to within a step of √2."),
        "within10s": Shape.integer.meaning("How many were at most 10 seconds, to within a step of √2."),
        "within30s": Shape.integer.meaning("How many were at most 30 seconds, to within a step of √2."),
    ])

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
        "withToken": Shape.integer.meaning("Cards that have had a token to push to."),
        "updated": Shape.integer.meaning("Cards with an update that Apple accepted. A card counts once."),
        "reporting": Shape.integer.meaning("Cards with a phone that has reported what it shows."),
        "shown": Shape.integer.meaning("Those that have reported a state that was declared."),
        "tapped": Shape.integer.meaning("Taps on cards that opened the app. Each tap counts."),
        "ended": Shape.integer.meaning("Cards that have ended and were not reported as running since."),
        "dismissed": Shape.integer.meaning("Cards that their persons have removed."),
        "unlisted": Shape.integer.meaning("Cards that their phones no longer list."),
        "lifetimeOver": Shape.integer.meaning("Cards that iOS ended because their eight hours were over."),
        "neverAllowed": Shape.integer.meaning("Cards that were over before their persons allowed updates."),
    ])

    static let acceptedPushes = Shape.object([
        "pushes": Shape.integer.meaning("Pushes that Apple accepted."),
        "starts": Shape.integer.meaning("Starts among them."),
        "updates": Shape.integer.meaning("Updates among them."),
        "ends": Shape.integer.meaning("Ends among them."),
        "superseded": Shape.integer.meaning("States that a card never needed, because a newer one superseded them."),
        "refused": countsByName.meaning("Pushes that Apple refused, by its reason."),
        "unanswered": Shape.integer.meaning("Pushes that Apple did not answer."),
        "age": agesOfReport.meaning("Seconds for which cards were behind before Apple accepted their state."),
    ])

    static let broadcastAnswers = Shape.object([
        "accepted": Shape.integer.meaning("Broadcasts to channels that Apple accepted."),
        "refused": countsByName.meaning("Broadcasts that Apple refused, by its reason."),
        "unanswered": Shape.integer.meaning("Broadcasts that Apple did not answer."),
        "age": agesOfReport.meaning("Seconds from a declaration until Apple accepted its broadcast."),
    ])

    private static let shown = Shape.object([
        "reporting": Shape.integer.meaning(
            "Cards that run, or ran until Eyot ended them, with a phone that has reported."),
        "share": maybe.meaning(
            "The share of the cards that have appeared with a report at any time; null without cards."),
        "newest": Shape.integer.meaning("Those that last reported the newest state for them."),
        "older": Shape.integer.meaning("Those that last reported an older state."),
        "otherState": Shape.integer.meaning("Those that last reported a state that no declaration has."),
        "stale": Shape.integer.meaning("Those that show a state whose stale date has passed, so iOS shows them grey."),
        "unknown": Shape.integer.meaning("Cards that run with a phone that has reported nothing of them."),
        "age": agesOfReport.meaning("Seconds from a declaration until a phone reported that it shows it."),
    ])

    private static let dismissed = Shape.object([
        "count": Shape.integer.meaning("Cards that their persons have removed."),
        "afterVersion": countsByName.meaning("Those by the version that Apple had accepted last for the card."),
    ])

    static let alertFates = Shape.object([
        "given": Shape.integer.meaning("Alerts that left with a push that Apple accepted."),
        "expired": Shape.integer.meaning("Alerts that were dropped because their lifetime was over."),
        "superseded": Shape.integer.meaning("Alerts that a newer alert or state superseded."),
        "withoutRoom": Shape.integer.meaning("Alerts that the push had no room for."),
    ])

    static let rowOfReport = Shape.object([
        "targeted": Shape.integer.meaning("Devices of start calls. A device counts once for each call."),
        "eligible": Shape.integer.meaning("Devices of start calls that got a place."),
        "startsAccepted": Shape.integer.meaning("Starts that Apple accepted."),
        "startsExpired": Shape.integer.meaning("Starts that led to no card in time."),
        "appeared": Shape.integer.meaning("Cards that phones have reported."),
        "withToken": Shape.integer.meaning("Cards that have had a token to push to."),
        "updated": Shape.integer.meaning("Cards with an update that Apple accepted. A card counts once."),
        "reporting": Shape.integer.meaning("Cards with a phone that has reported what it shows."),
        "shown": Shape.integer.meaning("Cards that have reported a state that was declared."),
        "tapped": Shape.integer.meaning("Taps on cards that opened the app."),
        "ended": Shape.integer.meaning("Cards that came to their end, by an accepted end or by their phones' reports."),
        "dismissed": Shape.integer.meaning("Cards that their persons have removed."),
        "lifetimeOver": Shape.integer.meaning("Cards that iOS ended because their eight hours were over."),
        "neverAllowed": Shape.integer.meaning("Cards that were over before their persons allowed updates."),
        "refused": Shape.integer.meaning("Pushes that Apple refused."),
    ])

    static let dimensions = Shape.object([
        "os": Shape.map(rowOfReport).meaning("By the major version of iOS."),
        "build": Shape.map(rowOfReport).meaning("By the version of the app."),
        "language": Shape.map(rowOfReport).meaning("By the language of the app; `unknown` if it has named none."),
        "environment": Shape.map(rowOfReport).meaning("By Apple's environment."),
    ])

    private static let span = Shape.object([
        "at": Shape.moment.meaning("When the span began, RFC 3339."),
        "seconds": Shape.integer.meaning("How long it is: 10, 600, 3600 or 86400."),
        "declared": Shape.integer.meaning("States and ends that were declared."),
        "appeared": Shape.integer.meaning("Cards that phones have reported."),
        "dismissed": Shape.integer.meaning("Cards that their persons have removed."),
        "accepted": Shape.integer.meaning("Pushes that Apple accepted."),
        "refused": Shape.integer.meaning("Pushes that Apple refused."),
        "reporting": Shape.integer.meaning("Cards with a first report of what they show."),
        "tapped": Shape.integer.meaning("Taps on cards that opened the app."),
        "broadcasts": Shape.integer.meaning("Broadcasts to channels that Apple accepted."),
        "acceptedAge": ages.meaning("Seconds for which cards were behind before Apple accepted their state."),
        "shownAge": ages.meaning("Seconds from a declaration until a phone reported that it shows it."),
    ])

    private static let cardReport = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name."),
        "version": Shape.integer.meaning("Version of the newest declaration; 0 if there is none."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "state": Shape.word("active", "ended", "undeclared").meaning("State of the activity."),
        "createdAt": Shape.moment.meaning("When the generation was made, RFC 3339."),
        "endedAt?": Shape.moment.meaning("When the activity ended, RFC 3339."),
        "keptSince?": Shape.moment.meaning("When the activity was removed, RFC 3339. Absent while it is there."),
        "funnel": funnel.meaning("The way of the cards, from the calls that wanted them to their ends."),
        "cards": countsByName.meaning("Cards by phase; in the end, if the activity was removed."),
        "accepted": acceptedPushes.meaning("What Apple said of the pushes. It says nothing of screens."),
        "broadcasts": broadcastAnswers.meaning("What Apple said of broadcasts. Each reaches all cards of a channel."),
        "shown": shown.meaning("What phones have reported of their cards."),
        "dismissed": dismissed.meaning("Cards that their persons have removed."),
        "alerts": alertFates.meaning("Alerts by what became of them."),
        "by": dimensions.meaning("Some numbers by properties of the phones. `other` stands for further values."),
        "series?": Shape.list(span).meaning("Numbers over time, oldest first. Older spans are longer."),
        "comparison?": Shape.named("CardReport").meaning("The report of the other activity, without its series."),
    ])

    static let reportSchemas: [(String, JSONValue)] = [("CardReport", cardReport)]
}

extension OperationDescription {
    static let reportNotes: [String: OperationNote] = [
        "GET /v1/activities/{name}/report": .of(
            "Read what has happened to the cards of an activity, in numbers", 200, "CardReport",
            codes: [.activityUnknown])
    ]
}
