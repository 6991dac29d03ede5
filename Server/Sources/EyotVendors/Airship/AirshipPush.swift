import EyotCommands
import EyotContract
import EyotDomain

/// One push object that carries a Live Activity.
struct AirshipPush {
    private(set) var declaration: VendorDeclaration

    /// Members of a push object that have no effect on a Live Activity.
    private static let others = [
        "campaigns", "message_type", "options", "localizations", "global_attributes", "feed_references",
        "snippet_references", "orchestration", "message", "in_app",
    ]
    /// The other platforms that a notification may name.
    private static let platforms: Set<String> = ["android", "amazon", "web", "sms", "mms", "email", "wns"]

    init(_ json: JSONValue, at path: String, now: Instant) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        let audience = try AirshipAudience.audience(
            try fields.required("audience", fields.value("audience")), at: fields.path(of: "audience"))
        var notification = try fields.required("notification", fields.fields("notification"))
        var ios = try notification.required("ios", notification.fields("ios"))
        guard var card = try ios.fields("live_activity") else {
            throw ios.invalid("live_activity", "is missing: nothing but Live Activities is pushed from here")
        }
        declaration = try Self.declaration(&card, audience, at: now)
        try card.finish()
        // Beside a Live Activity the other members for iOS have no effect.
        declaration.ignore(ios.unread)
        try Self.checkPlatforms(&fields, &notification)
        for name in Self.others where fields.value(name) != nil { declaration.ignore([fields.path(of: name)]) }
        try fields.finish()
    }

    private static func declaration(
        _ card: inout JSONFields, _ audience: Audience, at now: Instant
    ) throws(JSONFieldError) -> VendorDeclaration {
        let event = try card.required("event", card.string("event"))
        let name = try card.string("name")
        var declaration: VendorDeclaration
        switch event {
        case "start":
            // The app on the device says the card's name.
            declaration = VendorDeclaration(
                .start, name ?? NamelessActivity.make(at: now), names: AirshipPlane.names)
            declaration.body.type = try card.required("attributes_type", card.string("attributes_type"))
            declaration.body.attributes = try card.required("attributes", card.object("attributes"))
            declaration.body.audience = audience
        case "update", "end":
            declaration = VendorDeclaration(
                event == "end" ? .end : .update, try card.required("name", name), names: AirshipPlane.names)
            declaration.body.scope = audience == .all ? nil : audience
            for member in ["attributes_type", "attributes"] where card.value(member) != nil {
                declaration.ignore([card.path(of: member)])
            }
        default: throw card.invalid("event", "must be start, update or end")
        }
        let state = try card.object("content_state")
        declaration.body.content.state = event == "start" ? try card.required("content_state", state) : state
        declaration.body.repeatsState = event == "update"
        declaration.body.alert = try alert(&card)
        declaration.body.content.priority = try card.applePriority("priority")
        declaration.body.content.relevanceScore = try card.double("relevance_score")
        declaration.body.staleDate = try card.second("stale_date")
        declaration.body.asOf = try card.second("timestamp")
        declaration.body.isOfNow = true
        let dismissal = try card.second("dismissal_date")
        if event == "end" { declaration.body.dismissalDate = dismissal }
        // Airship's sample has one in an update, and it has no effect there.
        if event != "end", dismissal != nil { declaration.ignore([card.path(of: "dismissal_date")]) }
        return declaration
    }

    private static func alert(_ card: inout JSONFields) throws(JSONFieldError) -> JSONValue? {
        guard var fields = try card.fields("alert") else { return nil }
        var alert = JSONObject()
        for name in ["title", "body", "sound"] { alert[name] = try fields.string(name).map(JSONValue.string) }
        try fields.finish()
        return .object(alert)
    }

    /// Checks the platforms: each needs a notification, and iOS must be one of them.
    private static func checkPlatforms(
        _ fields: inout JSONFields, _ notification: inout JSONFields
    ) throws(JSONFieldError) {
        if let word = fields.value("device_types"), word == "all" { return }
        let named = try fields.required("device_types", fields.strings("device_types"))
        for platform in named where platform != "ios" {
            guard platforms.contains(platform) || platform.hasPrefix("open::") else {
                throw fields.invalid("device_types", "holds no platform of Airship's: \(platform)")
            }
            guard notification.value(platform) != nil else {
                throw fields.invalid("device_types", "names \(platform), for which there is no notification")
            }
        }
        guard named.contains("ios") else {
            throw fields.invalid("device_types", "must hold ios: nothing else has Live Activities")
        }
        for platform in platforms { _ = notification.value(platform) }
        for name in ["alert", "actions", "interactive"] { _ = notification.value(name) }
        try notification.finish()
    }
}

extension JSONFields {
    /// The last second of the year 9999. A moment in milliseconds is greater.
    static let lastSecond = 253_402_300_799

    /// Reads a moment in whole UNIX seconds.
    fileprivate mutating func second(_ name: String) throws(JSONFieldError) -> Instant? {
        guard let second = try integer(name) else { return nil }
        guard (0...Self.lastSecond).contains(second) else {
            throw invalid(name, "must be a moment in seconds since 1970")
        }
        return Instant(second: second)
    }
}
