/// All metrics of the server.
extension Metric {
    package static let all: [Metric] = process + node + deliveries + declarations + watched + webhooks + calls + store

    static let process: [Metric] = [
        buildInfo, nodePushing, nodeWaits, nodeShards, nodeEpoch, nodeBeginsIn, clockSetBack, cardsWaitForClock,
    ]
    static let node: [Metric] = [
        activitiesDue, oldestBehind, appPaused, appHalted, appRestored, typesHalted, activitiesHalted,
    ]
    static let deliveries: [Metric] = [
        stateAge, pushes, verdicts, pushDuration, pushesInFlight, connections, connectionFailures,
    ]
    static let declarations: [Metric] = [declared, startsSkipped, reported, phonesReporting, events]
    static let watched: [Metric] = [activityStateAge, activityCards, activityShown, activityStale, activityRefused]
    static let webhooks: [Metric] = [webhookOldest]
    static let calls: [Metric] = [requests, requestDuration, limited, refused, answersNotLogged]
    static let store: [Metric] = [
        commits, writes, commitSeconds, waitingWrites, writerBusy, walBytes, freeBytes, storeErrors,
    ]

    // MARK: The process and its node

    package static let buildInfo = Metric(
        "eyot_build_info", .gauge, ["version", "commit", "schema"],
        "Always 1. The labels name the program's version and commit, and the step of the database's schema.")
    package static let nodePushing = Metric(
        "eyot_node_pushing", .gauge, [], "1 while this process holds a lease and pages may leave, otherwise 0.")
    package static let nodeWaits = Metric(
        "eyot_node_waits", .gauge, ["reason"],
        "1 for the reason why this process does not push, as `pushing.reason` of the status names it, otherwise 0.")
    package static let nodeShards = Metric(
        "eyot_node_shards", .gauge, [],
        "Shards that this process pushes for: of 64 with PostgreSQL, of 1 with SQLite.")
    package static let nodeEpoch = Metric(
        "eyot_node_epoch", .gauge, [], "The number of this process's last tenure. 0 before the first.")
    package static let nodeBeginsIn = Metric(
        "eyot_node_begins_in_seconds", .gauge, [],
        "Seconds until pages may leave, because a former process may have pushed until then. Otherwise 0.")
    package static let clockSetBack = Metric(
        "eyot_clock_set_back_seconds", .gauge, [],
        "Seconds by which the clock was last set back since this process started. 0 if it was not.")
    package static let cardsWaitForClock = Metric(
        "eyot_cards_wait_for_clock_seconds", .gauge, [],
        "Seconds until the last card may be pushed that waits for the clock to pass its last push. 0 if none waits.")

    // MARK: What is due

    package static let activitiesDue = Metric(
        "eyot_activities_due", .gauge, ["app"], "Activities of the app that the engine works on now.")
    package static let oldestBehind = Metric(
        "eyot_cards_behind_oldest_seconds", .gauge, ["app"],
        "The longest time for which a card of the app can have been behind by now, at most. Cards that wait for a "
            + "token, a pause, a halt or a planned moment do not count.")
    package static let appPaused = Metric(
        "eyot_app_paused", .gauge, ["app", "environment", "reason"],
        "1 for each environment of an app that is paused, with Apple's reason.")
    package static let appHalted = Metric(
        "eyot_app_halted", .gauge, ["app"], "1 for each app that is halted, by an operator or by a restore.")
    package static let appRestored = Metric(
        "eyot_app_restored", .gauge, ["app"],
        "1 for each app that is halted since its database was restored or adopted.")
    package static let typesHalted = Metric("eyot_types_halted", .gauge, ["app"], "Halted types of the app.")
    package static let activitiesHalted = Metric(
        "eyot_activities_halted", .gauge, ["app"],
        "Halted activities of the app that have not ended. No more than 1,000 are counted.")

    // MARK: Deliveries

    package static let stateAge = Metric(
        "eyot_state_age_seconds", .histogram, ["app", "environment"],
        "How long cards were behind until Apple accepted their newest state.",
        bounds: [0.016, 0.064, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384, 32.768, 65.536, 262.144, 1_048.576])
    package static let pushes = Metric(
        "eyot_pushes_total", .counter, ["app", "environment", "event", "verdict", "reason"],
        "Pushes by their verdict. The reason is Apple's, and is empty unless Apple refused.")
    package static let verdicts = Metric(
        "eyot_push_verdicts_total", .counter, ["app", "environment", "verdict"],
        "Pushes by their verdict alone: accepted, refused, unknown (no answer) or notProcessed. Each begins at 0.")
    /// The values of the label `verdict`.
    static let verdictWords = ["accepted", "refused", "unknown", "notProcessed"]
    package static let pushDuration = Metric(
        "eyot_push_duration_seconds", .histogram, ["environment"],
        "Seconds from the moment a page is given to the sender to its last verdict, once for each push of the page.",
        bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    package static let pushesInFlight = Metric(
        "eyot_push_in_flight", .gauge, ["app"], "Pushes that the sender has, and that have no verdict yet.")
    package static let connections = Metric(
        "eyot_apns_connections", .gauge, ["environment", "service", "state"],
        "Connections to Apple by state: connecting, ready, or leaving.")
    package static let connectionFailures = Metric(
        "eyot_apns_connection_failures", .gauge, ["environment", "service"],
        "Connections to Apple that failed in a row. A good answer sets it to 0.")

    // MARK: Declarations and reports

    package static let declared = Metric(
        "eyot_declarations_total", .counter, ["app", "verb", "outcome"], "Accepted declarations by their outcome.")
    package static let startsSkipped = Metric(
        "eyot_starts_skipped_total", .counter, ["app", "reason"],
        "Devices of a start's audience that get no card, by reason.")
    package static let reported = Metric(
        "eyot_reported_total", .counter, ["app", "result"],
        "What phones reported of the states that cards show: same (the newest for the card), older, unknown (a state "
            + "that was not declared lately), or dismissed.")
    package static let phonesReporting = Metric(
        "eyot_phones_reporting", .gauge, ["app", "result"],
        "Phones that reported to this process within 10 minutes, by the worst that one of their cards shows: unknown, "
            + "older or same. Of an app with more than 1,024 such phones, a sample of that size is counted.")
    package static let events = Metric(
        "eyot_events_total", .counter, ["app", "type"], "Recorded events by type.")

    // MARK: Watched activities

    package static let activityStateAge = Metric(
        "eyot_activity_state_age_seconds", .histogram, ["app", "activity"],
        "How long the cards of a watched activity were behind until Apple accepted their newest state, to within a "
            + "step of √2.",
        bounds: stateAge.bounds)
    package static let activityCards = Metric(
        "eyot_activity_cards", .gauge, ["app", "activity", "phase"], "Cards of a watched activity by phase.")
    package static let activityShown = Metric(
        "eyot_activity_shown_ratio", .gauge, ["app", "activity"],
        "The share of the reporting cards of a watched activity that show the newest state. 0 if none reports.")
    package static let activityStale = Metric(
        "eyot_activity_stale_cards", .gauge, ["app", "activity"],
        "Reporting cards of a watched activity that show a state whose stale date has passed, so iOS shows them grey.")
    package static let webhookOldest = Metric(
        "eyot_webhook_oldest_seconds", .gauge, ["endpoint"],
        "How long the oldest event has waited for an enabled webhook, by the webhook's id. 0 if none waits.")
    package static let activityRefused = Metric(
        "eyot_activity_refused_total", .counter, ["app", "activity"],
        "Pushes to cards of a watched activity that Apple refused.")

    // MARK: Calls

    package static let requests = Metric(
        "eyot_http_requests_total", .counter, ["plane", "method", "route", "status"],
        "Answered requests by the template of their route, or none.")
    package static let requestDuration = Metric(
        "eyot_http_request_duration_seconds", .histogram, ["plane", "route"],
        "Seconds from the end of a request's head to its answer.",
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    package static let limited = Metric(
        "eyot_limited_total", .counter, ["limit"],
        "Calls that a limit refused: key, app, device, failedKeys, registrations, or other.")
    static let limits = ["key", "app", "device", "failedKeys", "registrations", "other"]
    package static let refused = Metric(
        "eyot_refused_total", .counter, ["kind"], "Connections and requests that the listeners refused, by kind.")
    package static let answersNotLogged = Metric(
        "eyot_answers_not_logged_total", .counter, [],
        "Answers with a status of 400 or higher that were left out of the log, because it had many in that minute.")

    // MARK: The store

    package static let commits = Metric("eyot_store_commits_total", .counter, [], "Commits of the store.")
    package static let writes = Metric("eyot_store_writes_total", .counter, [], "Writes that the commits held.")
    package static let commitSeconds = Metric(
        "eyot_store_commit_seconds", .histogram, [], "Seconds that a commit took, which is mostly the disk.",
        bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1])
    package static let waitingWrites = Metric(
        "eyot_store_waiting_writes", .gauge, [], "Writes that wait for their transaction.")
    package static let writerBusy = Metric(
        "eyot_store_writer_busy_seconds", .gauge, [],
        "Seconds for which nothing could be written, while writes wait or are refused because another process or an "
            + "outage keeps the database away. Otherwise 0.")
    package static let walBytes = Metric("eyot_store_wal_bytes", .gauge, [], "Bytes of the database's log.")
    package static let freeBytes = Metric(
        "eyot_store_free_bytes", .gauge, [], "Free bytes of the file system with the database.")
    package static let storeErrors = Metric(
        "eyot_store_errors_total", .counter, ["code"], "Commits that failed, by the kind of the error.")
}
