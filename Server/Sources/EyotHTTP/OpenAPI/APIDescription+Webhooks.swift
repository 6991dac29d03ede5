import EyotCommands
import EyotContract
import EyotDomain

/// Shapes of webhooks.
extension APIDescription {
    private static let url = Shape.text.meaning("URL that events are posted to, with https.")
    private static let types = Shape.list(Shape.text).meaning(
        "Kinds of events, or beginnings such as `card.*`. If the call names none: "
            + Webhook.usualTypes.map { "`\($0)`" }.joined(separator: ", ") + ".")
    private static let signature = Shape.word(WebhookSecret.Scheme.allCases.map(\.rawValue)).meaning(
        "`v1` signs with a shared secret, `v1a` with a key whose public part receivers have.")
    private static let name = Shape.text.meaning("Name of the webhook, for people; the host of the URL by default.")
    private static let vendor = Shape.text.meaning(
        "Vendor that has the form in which events are posted, such as `braze`. Absent for Eyot's own form.")
    private static let failures = Shape.word(WebhookAnswer.Failure.allCases.map(\.rawValue)).meaning(
        "Why there was no answer. Absent if there was one.")
    private static let status = Shape.integer.meaning("HTTP status of the answer. Absent if there was none.")
    private static let sentence = Shape.text.meaning("Sentence about the answer, or the lack of one.")

    /// Returns the shape of a webhook, with further members.
    private static func webhook(_ more: KeyValuePairs<String, JSONValue> = [:]) -> JSONValue {
        var shape = Shape.object([
            "id": Shape.text.meaning("Id of the webhook."), "name": name, "url": url, "types": types,
            "signature": signature, "vendor?": vendor,
            "publicKey?": Shape.text.meaning("Key that verifies signatures, with `v1a`."),
            "formerSecretUntil?": Shape.moment.meaning("Until when the former secret signs as well, RFC 3339."),
            "state": Shape.word("enabled", "disabled").meaning("Whether events are posted."),
            "disabledBecause?": Shape.word(Webhook.Disabling.Reason.allCases.map(\.rawValue)).meaning(
                "A call, a receiver's 410, or a lost master key. Absent while it is enabled."),
            "disabledAt?": Shape.moment.meaning("When it was disabled, RFC 3339."),
            "createdAt": Shape.moment.meaning("When it was created, RFC 3339."),
            "cursor": Shape.text.meaning("Id of the last event that was looked at for this webhook."),
            "pending": Shape.integer.meaning("Events that wait to be delivered; at most 1,000."),
            "deadLetters": Shape.integer.meaning("Events that were given up; at most 1,000 are kept."),
        ]).object
        var properties = shape?["properties"]?.object
        for (name, value) in more { properties?[name] = value }
        shape?["properties"] = properties.map(JSONValue.object)
        return shape.map(JSONValue.object) ?? .null
    }

    private static let newWebhook = Shape.object(
        ["name?": name, "url": url, "types?": types, "signature?": signature, "vendor?": vendor],
        example: #"{"name":"scores","url":"https://hooks.example.org/eyot","types":["activity.*","app.*"]}"#)

    private static let webhookChange = Shape.object(
        ["name?": name, "url?": url, "types?": types], example: #"{"types":["activity.*","card.dismissed"]}"#)

    private static let webhookRotation = Shape.object(
        [
            "overlapSeconds?": Shape.integer(0...2_592_000).meaning(
                "Seconds for which messages carry a signature of the former secret as well; a day by default."),
            "signature?": signature,
        ], example: #"{"overlapSeconds":3600}"#)

    private static let test = Shape.object([
        "delivered": Shape.flag.meaning("Whether the receiver answered 2xx."), "status?": status, "error?": failures,
        "text": sentence, "milliseconds": Shape.integer.meaning("Milliseconds until the answer."),
    ])

    private static let range = Shape.object(
        [
            "after?": Shape.text.meaning("Id of the event before the range. Either this or `since` must be sent."),
            "before?": Shape.text.meaning("Id of the event behind the range. By default the range ends at `cursor`."),
            "since?": Shape.moment.meaning("First moment of the range, RFC 3339."),
            "until?": Shape.moment.meaning("Moment behind the range, RFC 3339."),
        ], example: #"{"after":"0"}"#)

    private static let replay = Shape.object([
        "queued": Shape.integer.meaning("Events that were queued. Those that waited already do not count."),
        "next?": Shape.text.meaning("Value of `after` that continues the replay; absent at the end of the range."),
    ])

    private static let delivery = Shape.object([
        "event": Shape.text.meaning("Id of the event."),
        "state": Shape.word("pending", "dead").meaning("Whether it is tried again, or was given up."),
        "attempts": Shape.integer.meaning("Tries that failed."),
        "nextTryAt?": Shape.moment.meaning("When it is tried next, RFC 3339. Absent for a dead letter."),
        "deadAt?": Shape.moment.meaning("When it was given up, RFC 3339."),
        "failedAt?": Shape.moment.meaning("When the last try failed, RFC 3339. Absent before the first."),
        "status?": status, "error?": failures, "text?": sentence,
    ])

    static let webhookSchemas: [(String, JSONValue)] = [
        ("Webhook", webhook()),
        (
            "WebhookWithSecret",
            webhook(["secret": Shape.text.meaning("Secret, with `v1`. It is shown this once.")])
        ),
        ("Webhooks", Shape.page("webhooks", of: "Webhook", "All webhooks of the app.", next: nil)),
        ("NewWebhook", newWebhook), ("WebhookChange", webhookChange), ("WebhookRotation", webhookRotation),
        ("WebhookTest", test), ("ReplayRange", range), ("Replay", replay), ("Delivery", delivery),
        ("Deliveries", Shape.page("deliveries", of: "Delivery", "Deliveries in the order of their events.")),
    ]
}

extension OperationDescription {
    static let webhookNotes: [String: OperationNote] = [
        "POST /v1/webhooks": .of(
            "Create a webhook", takes: "NewWebhook", 201, "WebhookWithSecret", codes: [.tooManyWebhooks]),
        "GET /v1/webhooks": .of("List the app's webhooks", 200, "Webhooks"),
        "GET /v1/webhooks/{id}": .of("Read a webhook", 200, "Webhook", codes: [.webhookUnknown]),
        "PATCH /v1/webhooks/{id}": .of(
            "Change a webhook", takes: "WebhookChange", 200, "Webhook", codes: [.webhookUnknown]),
        "DELETE /v1/webhooks/{id}": .of("Remove a webhook", 204, codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/rotate": .of(
            "Give a webhook another secret", takes: "WebhookRotation", 200, "WebhookWithSecret",
            codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/enable": .of(
            "Resume deliveries to a webhook", 200, "Webhook", codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/disable": .of(
            "Stop deliveries to a webhook", 200, "Webhook", codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/test": .of(
            "Post a test message and wait for the answer", 200, "WebhookTest", codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/replay": .of(
            "Deliver the events of a range again", takes: "ReplayRange", 200, "Replay", codes: [.webhookUnknown]),
        "GET /v1/webhooks/{id}/deliveries": .of(
            "List what waits for a webhook, and what was given up", 200, "Deliveries", codes: [.webhookUnknown]),
        "POST /v1/webhooks/{id}/deliveries/{event}/retry": .of(
            "Try a delivery at once", 200, "Delivery", codes: [.webhookUnknown, .deliveryUnknown]),
    ]
}
