import EyotCommands
import EyotContract
import EyotDomain

/// Shapes of activities and channels.
extension APIDescription {
    private static let broadcasts = Shape.object([
        "accepted": Shape.integer.meaning("Broadcasts that Apple accepted. Each counts once."),
        "refused": Shape.integer.meaning("Broadcasts that Apple refused."),
        "unknown": Shape.integer.meaning("Broadcasts without an answer."),
    ])

    static let canary = Shape.object([
        "version": Shape.integer.meaning("Version that is tried out."),
        "percent": Shape.number.meaning("Share of the activity's ordinals in percent, 0.1 to 50."),
        "maximumRefusals": Shape.number.meaning("Part of Apple's answers that may be bad, 0 to 0.5."),
        "waitSeconds": Shape.number.meaning("Seconds that the share has the state before it goes on to everyone."),
        "upToOrdinal": Shape.integer.meaning("Ordinal of the last card of the share."),
        "accepted": Shape.integer.meaning("Pushes of the canary that Apple accepted."),
        "refused": Shape.integer.meaning("Pushes that Apple refused because of the push itself."),
        "unknown": Shape.integer.meaning("Pushes of the canary without an answer."),
        "state": Shape.word("delivering", "waiting", "passed", "failed").meaning("Stage of the canary."),
        "goesOnAt?": Shape.moment.meaning("When the state goes on to everyone, RFC 3339. Only while it waits."),
        "passedAt?": Shape.moment.meaning("When the canary passed, RFC 3339."),
        "failedAt?": Shape.moment.meaning("When the canary failed, RFC 3339."),
    ])

    static let halt = Shape.object([
        "by": Shape.word("app", "type", "activity").meaning("The widest switch that holds the activity now."),
        "since": Shape.moment.meaning("When the halt began, RFC 3339."),
        "reason?": Shape.text.meaning("Why a canary halted the activity. Absent for a halt by a call."),
    ])

    private static let tally = Shape.object([
        "started": Shape.integer.meaning("Starts that Apple accepted."),
        "accepted": Shape.integer.meaning("Pushes that Apple accepted, starts and ends included."),
        "ended": Shape.integer.meaning("Ends of running cards that Apple accepted."),
        "superseded": Shape.integer.meaning("States that a replica never needed, because a newer one superseded them."),
        "alertsSuperseded": Shape.integer.meaning("Alerts that a newer alert or state superseded."),
        "alertsExpired": Shape.integer.meaning("Alerts that were dropped because their lifetime was over."),
        "refused": Shape.integer.meaning("Pushes that Apple refused."),
        "unknown": Shape.integer.meaning("Pushes without an answer."),
        "broadcasts?": broadcasts.meaning("Broadcasts by outcome. Absent if there were none."),
    ])

    private static let maybe: JSONValue = ["type": ["number", "null"]]
    private static let agesNow = Shape.object([
        "behind": Shape.integer.meaning("Replicas that lack a push that can be made."),
        "maxSeconds": Shape.number.meaning("Seconds for which the longest of them has been behind."),
        "estimated?": Shape.flag.meaning("True if `behind` follows from the first 3,000 of more replicas."),
    ])
    private static let agesCaughtUp = Shape.object([
        "count": Shape.integer.meaning("How often a replica has caught up."),
        "p50": maybe.meaning("Median of the seconds; null if no replica has caught up."),
        "p99": maybe.meaning("99th percentile of the seconds; null if no replica has caught up."),
        "max": maybe.meaning("Maximum of the seconds; null if no replica has caught up."),
    ])
    private static let stateAge = Shape.object([
        "now": agesNow.meaning("Replicas that are behind now."),
        "caughtUp": agesCaughtUp.meaning("Seconds that replicas had been behind, to within a factor of √2."),
    ])

    private static let activityChannel = Shape.object([
        "environment": Shape.text.meaning("Environment of Apple's: `sandbox` or `production`."),
        "state": channelState,
        "channel?": Shape.text.meaning("Apple's id of the channel."),
        "acceptedVersion?": Shape.integer.meaning("The newest version that Apple accepted."),
        "freeAt?": Shape.moment.meaning("When a resting channel may be another activity's, RFC 3339."),
        "reason?": Shape.text.meaning("Apple's reason, if there is no channel or if it is slowed."),
    ])
    private static let channelState = Shape.text.meaning(
        "State of the channel: `wanted`, `leased`, `resting`, `lost` or `deleting`.")

    private static let activityState = Shape.word("active", "ended", "undeclared").meaning(
        "State of the activity; `undeclared` if only phones have named it.")

    private static let activity = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the name. A start after an end opens the next one."),
        "version": Shape.integer.meaning("Version of the newest declaration; 0 if there is none."),
        "type?": Shape.text.meaning("Name of the attributes type. Absent while it is unknown."),
        "state": activityState,
        "public?": Shape.flag.meaning("Whether it was declared public or private. Absent if no call says it."),
        "contentState?": Shape.anyObject.meaning("The newest state for everyone."),
        "stateVersion?": Shape.integer.meaning("Version of that state."),
        "asOf?": Shape.moment.meaning("When that state was true, RFC 3339, if its caller said it."),
        "createdAt": Shape.moment.meaning("When the generation was made, RFC 3339."),
        "declaredAt?": Shape.moment.meaning("When the newest declaration for everyone was accepted, RFC 3339."),
        "startsAt?": Shape.moment.meaning("The latest planned start, RFC 3339."),
        "endsAt?": Shape.moment.meaning("The planned end, RFC 3339."),
        "endedAt?": Shape.moment.meaning("When the activity ended, RFC 3339."),
        "halt?": halt.meaning("Halt that holds the activity. Absent if it is not halted."),
        "canary?": canary.meaning("Progress of the newest declaration for everyone, if it is or was a canary."),
        "channels?": Shape.list(activityChannel).meaning("Broadcast channels of the activity, if there are any."),
        "phases": Shape.map(Shape.integer).meaning("Number of replicas by phase."),
        "notStarted": Shape.map(Shape.integer).meaning("Number of replicas that were not started, by reason."),
        "deaths": Shape.map(Shape.integer).meaning("Number of replicas without a usable token, by Apple's reason."),
        "stateAge": stateAge.meaning("How long replicas are and were behind the declared state."),
        "tally": tally.meaning("Pushes of the activity by outcome."),
    ])

    // MARK: Replicas

    private static let remoteStart = Shape.object([
        "state": Shape.text.meaning("State of the start: `planned`, `sent`, `accepted` or `unknown`."),
        "version": Shape.integer.meaning("Version of the declaration with the attributes that start the card."),
        "sentAt?": Shape.moment.meaning("When the start was sent, RFC 3339."),
    ])
    private static let retry = Shape.object([
        "attempts": Shape.integer.meaning("Number of attempts so far."),
        "notBefore": Shape.moment.meaning("Earliest moment of the next attempt, RFC 3339."),
    ])
    private static let blocked = Shape.object([
        "version": Shape.integer.meaning("Version that Apple does not accept."),
        "reason": Shape.text.meaning("Apple's reason."),
        "meaning": Shape.text.meaning("Sentence that explains the reason."),
    ])

    private static let shown = Shape.object([
        "version?": Shape.integer.meaning("Version that the card shows. Absent if no declaration has that state."),
        "at": Shape.moment.meaning("When the phone reported it, RFC 3339."),
        "staleSince?": Shape.moment.meaning(
            "Since when iOS shows the card grey, RFC 3339. Absent if that state has not gone stale."),
    ])

    private static let replica = Shape.object([
        "ordinal": Shape.integer.meaning("Number of the card in its activity, from 1."),
        "device": Shape.text.meaning("Id of the device."),
        "user?": Shape.text.meaning("Your id of the device's user."),
        "build?": Shape.text.meaning("Version and build of the app on the phone."),
        "instance?": Shape.text.meaning("ActivityKit's id of the card."),
        "phase": Shape.text.meaning("Phase of the card, such as `live` or `dismissed`."),
        "reason?": Shape.text.meaning("Why the card was not started, or has no outcome yet."),
        "death?": death.meaning("Why the card's token is not used."),
        "start?": remoteStart.meaning("The outstanding remote start."),
        "token?": updateToken.meaning("The card's update token."),
        "accepted": Shape.integer.meaning("The newest version that Apple accepted for the card."),
        "desired": Shape.integer.meaning("The version that the card should have."),
        "shown?": shown.meaning("What the phone last reported of the card. Absent if it never did."),
        "locallyChanged?": Shape.flag.meaning(
            "Whether the app changed the card itself, and nothing was declared for it since."),
        "isBehind": Shape.flag.meaning("Whether the card lacks a push that can be made."),
        "behindSince?": Shape.moment.meaning("Since when the card is behind, RFC 3339."),
        "retry?": retry.meaning("When a failed push is tried again."),
        "blocked?": blocked.meaning("A version that Apple does not accept, and why."),
        "startsAt?": Shape.moment.meaning("When its remote start is or was to leave, RFC 3339."),
        "createdAt": Shape.moment.meaning("When the card's place in the activity was made, RFC 3339."),
    ])

    private static let userCard = Shape.object([
        "activity": Shape.text.meaning("Name of the card's activity."),
        "generation": Shape.integer.meaning("Generation of that name."),
        "card": replica.meaning("The card, as the list of the activity's cards shows it."),
    ])

    private static let userCards = Shape.object([
        "cards": Shape.list(userCard).meaning("Cards of the user's phones, newest first.")
    ])

    private static let replicas = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("Generation of the activity."),
        "version": Shape.integer.meaning("Version of the activity's newest declaration."),
        "replicas": Shape.list(replica).meaning("Cards of the page, in the order of their ordinals."),
        "next?": Shape.next,
    ])

    private static let phoneOfVersion = Shape.object([
        "ordinal": Shape.integer.meaning("Number of the card in its activity, from 1."),
        "device": Shape.text.meaning("Id of the device."),
        "user?": Shape.text.meaning("Your id of the device's user."),
        "build?": Shape.text.meaning("Version and build of the app on the phone."),
        "phase": Shape.text.meaning("Phase of the card now, such as `live` or `dismissed`."),
        "outcome": Shape.word(VersionFate.words).meaning("What became of the version on this card."),
        "reason?": Shape.text.meaning("Why, as a word of Eyot or of Apple."),
        "at?": Shape.moment.meaning("When Apple accepted it, RFC 3339."),
        "via?": Shape.word("token", "channel").meaning("What Apple accepted it for. Only if it was accepted."),
        "event?": Shape.word("start", "update", "end").meaning("Kind of the push."),
        "hasAlert?": Shape.flag.meaning("Whether the push carried an alert. Only if it was accepted."),
        "apnsId?": Shape.text.meaning("Id of the push at Apple."),
        "shown?": shown.meaning("What the phone last reported of the card. Absent if it never did."),
    ])

    // MARK: Halts, operations and channels

    private static let haltedActivity = Shape.object([
        "name": Shape.text.meaning("Name of the activity."),
        "generation": Shape.integer.meaning("The newest generation of the name."),
        "halt?": halt.meaning("Halt that holds the activity. Absent if it is not halted."),
    ])
    private static let haltedType = Shape.object([
        "type": Shape.text.meaning("Name of the attributes type."),
        "haltedSince?": Shape.moment.meaning("When the type was halted, RFC 3339. Absent if it is not."),
    ])

    private static let counts = Shape.object([
        "accepted": Shape.integer.meaning("Pushes that Apple accepted."),
        "refused": Shape.integer.meaning("Pushes that Apple refused."),
        "unknown": Shape.integer.meaning("Pushes without an answer."),
        "superseded": Shape.integer.meaning("States that a card never needed, because a newer one superseded them."),
        "broadcasts?": broadcasts.meaning("Broadcasts by outcome. Absent if there were none."),
    ])
    private static let successor = Shape.object([
        "generation": Shape.integer.meaning("Generation of the later declaration."),
        "version": Shape.integer.meaning("Version of the later declaration."),
    ])
    static let requestID = Shape.text.meaning("Id of the call, as its answer had it in `X-Request-Id`.")
    static let callerRequestID = Shape.text.meaning("The id that the caller sent in `X-Request-Id`, if it sent one.")
    private static let operationReport: [(String, JSONValue)] = [
        ("operation", Shape.text.meaning("Id of the operation.")),
        ("verb", Shape.word("start", "update", "end", "put").meaning("The call.")),
        ("key", Shape.text.meaning("Id of the key that made the call.")),
        ("requestId", requestID), ("callerRequestId", callerRequestID),
        ("acceptedAt", Shape.moment.meaning("When the call was accepted, RFC 3339.")),
        ("state", Shape.word(OperationState.allCases.map(\.rawValue)).meaning("How far the operation is.")),
        ("completedAt", Shape.moment.meaning("When the operation was complete, RFC 3339.")),
        ("counts", counts.meaning("Pushes of the activity from the operation's acceptance to its completion.")),
        ("canary", canary.meaning("Progress of the canary, if the declaration is one.")),
        ("supersededBy", successor.meaning("The later declaration that replaced this one.")),
    ]

    private static let channel = Shape.object([
        "id": Shape.text.meaning("The server's id of the channel."),
        "activity?": Shape.text.meaning("Name of the activity that has or last had the channel."),
        "generation?": Shape.integer.meaning("Generation of that activity."),
        "environment": Shape.text.meaning("Environment of Apple's: `sandbox` or `production`."),
        "state": channelState,
        "channel?": Shape.text.meaning("Apple's id of the channel."),
        "acceptedVersion?": Shape.integer.meaning("The newest version that Apple accepted."),
        "freeAt?": Shape.moment.meaning("When a resting channel may be another activity's, RFC 3339."),
        "reason?": Shape.text.meaning("Apple's reason, if there is no channel or if it is slowed."),
    ])
    private static let channels = Shape.object(
        [
            "channels": Shape.list(channel).meaning("Channels of the page, in the order of their ids."),
            "next?": Shape.next,
        ], example: #"{"channels":[]}"#)

    static let activitySchemas: [(String, JSONValue)] = [
        ("Activity", activity),
        ("Activities", Shape.page("activities", of: "Activity", "Activities of the page, in the order of names.")),
        ("Replicas", replicas), ("PhoneOfVersion", phoneOfVersion), ("UserCards", userCards),
        ("JoinSecret", joinSecret([:])),
        ("NewJoinSecret", joinSecret(["joinSecret": Shape.text.meaning("The secret. It is shown this once.")])),
        ("HaltedActivity", haltedActivity), ("HaltedType", haltedType),
        (
            "OperationReport",
            operation(operationReport, required: ["operation", "verb", "acceptedAt", "state", "counts"])
        ),
        (
            "FoundOperation",
            operation(
                [
                    ("operation", Shape.text.meaning("Id of the operation.")),
                    ("acceptedAt", Shape.moment.meaning("When the call was accepted, RFC 3339.")),
                    ("requestId", requestID), ("callerRequestId", callerRequestID),
                ], required: ["operation", "acceptedAt", "requestId"])
        ),
        (
            "FoundRequest",
            Shape.object([
                "operations": Shape.list(Shape.named("FoundOperation")).meaning(
                    "Operations of the calls that were accepted, oldest first."),
                "refused": Shape.list(Shape.named("Event")).meaning("Calls that were refused, oldest first."),
            ])
        ),
        ("Channels", channels),
    ]
}

extension OperationDescription {
    /// Codes that every declaration may be refused with.
    private static let refusals: [EyotError.Code] = [
        .activityEnded, .activityUnknown, .alertIncomplete, .audienceMissing, .dateOutOfRange, .definitionUnknown,
        .payloadTooLarge, .schemaMismatch, .scopeWithoutActivity, .segmentUnknown, .superseded, .testDeviceUnknown,
        .tooManyLiveAudiences, .tooManyMembers, .tooManyMembersWaiting, .typeMismatch,
    ]

    private static func declaration(_ summary: String, takes: String) -> OperationNote {
        OperationNote(
            summary, takes: Shape.named(takes),
            answers: [
                OperationNote.Success(202, Shape.named("Operation")),
                OperationNote.Success(200, Shape.named("DryRunOrOperation")),
            ], codes: refusals, isConditional: true)
    }

    static let activityNotes: [String: OperationNote] = [
        "POST /v1/activities/{name}/start": declaration("Open an activity and start cards", takes: "Start"),
        "POST /v1/activities/{name}/update": declaration("Declare a new state", takes: "Update"),
        "POST /v1/activities/{name}/end": declaration("End an activity", takes: "End"),
        "PUT /v1/activities/{name}": declaration("Declare the state, whatever that takes", takes: "Put"),
        "POST /v1/declarations": .of(
            "Make very many declarations, a line each", 200, "LineResult", codes: [.payloadTooLarge]),
        "GET /v1/activities": .of("List activities", 200, "Activities"),
        "GET /v1/activities/{name}": .of("Read an activity", 200, "Activity", codes: [.activityUnknown]),
        "GET /v1/activities/{name}/replicas": .of(
            "List the cards of an activity", 200, "Replicas", codes: [.activityUnknown]),
        "GET /v1/activities/{name}/versions/{version}/phones": .of(
            "What became of one version on each phone, a line each", 200, "PhoneOfVersion",
            codes: [.activityUnknown, .versionUnknown]),
        "POST /v1/activities/{name}/join-secret": .of(
            "Make what lets phones join a private activity", 201, "NewJoinSecret",
            codes: [.activityUnknown, .activityEnded]),
        "GET /v1/activities/{name}/join-secret": .of(
            "Whether an activity has a join secret", 200, "JoinSecret", codes: [.activityUnknown, .joinSecretUnknown]),
        "DELETE /v1/activities/{name}/join-secret": .of(
            "Remove an activity's join secret", 204, codes: [.activityUnknown, .joinSecretUnknown]),
        "POST /v1/activities/{name}/halt": .of("Halt an activity", 200, "HaltedActivity", codes: [.activityUnknown]),
        "POST /v1/activities/{name}/resume": .of(
            "Go on with an activity", 200, "HaltedActivity", codes: [.activityUnknown]),
        "POST /v1/types/{type}/halt": .of("Halt a type", 200, "HaltedType"),
        "POST /v1/types/{type}/resume": .of("Go on with a type", 200, "HaltedType"),
        "GET /v1/types": .of("List the types of an app", 200, "Types"),
        "PUT /v1/types/{type}/profile": .of("Say what cards of a type may spend", takes: "NewProfile", 200, "Profile"),
        "GET /v1/types/{type}/profile": .of("Read what cards of a type may spend", 200, "Profile"),
        "PUT /v1/types/{type}/schemas": .of(
            "Say what builds decode", takes: "NewSchema", 200, "PushedSchema", codes: [.tooManySchemas]),
        "GET /v1/types/{type}/schemas": .of("List the schemas of a type", 200, "Schemas"),
        "DELETE /v1/types/{type}/schemas": .of(
            "Remove the schema of all other builds", 204, codes: [.schemaUnknown]),
        "DELETE /v1/types/{type}/schemas/{build}": .of(
            "Remove the schema of a build", 204, codes: [.schemaUnknown]),
        "GET /v1/channels": .of("List broadcast channels", 200, "Channels"),
        "GET /v1/operations/{id}": .of(
            "What became of a call", 200, "OperationReport", codes: [.operationUnknown]),
        "GET /v1/requests/{id}": .of("Find what became of a request", 200, "FoundRequest", codes: [.requestUnknown]),
        "PUT /v1/definitions/{name}": .of(
            "Keep a declaration under a name", takes: "NewDefinition", 200, "Definition",
            codes: [.tooManyDefinitions, .alertIncomplete, .dateOutOfRange]),
        "GET /v1/definitions/{name}": .of("Read a definition", 200, "Definition", codes: [.definitionUnknown]),
        "GET /v1/definitions": .of("List definitions", 200, "Definitions"),
        "DELETE /v1/definitions/{name}": .of("Remove a definition", 204, codes: [.definitionUnknown]),
    ]
}
