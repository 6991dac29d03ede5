import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// Braze's object for a push to Apple, as far as it means something for a Live Activity.
struct BrazeNotification {
    /// In Apple's words.
    var alert: JSONValue?
    var priority: APNSPriority
    /// Seconds for which the alert is worth giving; nil where nothing is said.
    var alertLifetime: Double?
    var ignored: [String]
    var warnings: [String] = []

    /// Their members of an alert, and Apple's.
    private static let alertMembers = [
        "title": "title", "body": "body", "subtitle": "subtitle", "sound": "sound",
    ]
    /// Keys of texts that the app has, and where Apple has them in an alert of a Live Activity.
    private static let localized = [
        ("title", key: "title_loc_key", arguments: "title_loc_args"), ("body", key: "loc_key", arguments: "loc_args"),
    ]

    /// - Parameter title: of an alert that is one text; nil where that needs none.
    init(_ fields: inout JSONFields, title: String? = nil, at now: Instant) throws(JSONFieldError) {
        alert = try Self.alert(&fields, title)
        warnings = Self.idleKeys(fields.value("alert"))
        try Self.checkExtra(&fields)
        // Apple's own, unless the caller says otherwise: 10, or 5 with content for the background.
        let isQuiet = fields.value("content-available") ?? fields.value("content_available")
        let standard = isQuiet.map(Self.isSet) == true ? APNSPriority.considerate : .immediate
        switch try fields.integer("apns_priority") {
        case nil: priority = standard
        case 10: priority = .immediate
        case let number? where (1...9).contains(number): priority = .considerate
        default: throw fields.invalid("apns_priority", "must lie between 1 and 10")
        }
        let expiry = try fields.vendorDate("expiry")
        ignored = fields.unread + (fields.has("extra") ? [fields.path(of: "extra")] : [])
        if let expiry { expire(at: expiry, now) }
    }

    /// What somebody should see is shown whenever it comes; the alert is what gets old.
    private mutating func expire(at expiry: Instant, _ now: Instant) {
        let seconds = expiry.seconds(since: now)
        guard alert != nil, seconds >= 1 else {
            warnings.append(
                "notification.expiry \(alert == nil ? "is for an alert, and there is none" : "has passed"): it is not acted on"
            )
            return
        }
        alertLifetime = min(seconds, DeclarationBody.alertLifetimeLimit)
    }

    private static func isSet(_ value: JSONValue) -> Bool { value != .bool(false) && value.integer != 0 }

    /// Keys of texts beside the texts themselves: Apple takes one of the two, and the text is what the caller sees.
    private static func idleKeys(_ alert: JSONValue?) -> [String] {
        func has(_ name: String) -> Bool { alert?.object?[name].map { $0 != .null } ?? false }
        return localized.filter { has($0.0) && has($0.key) }.map {
            VendorDeclaration.ignored("notification.alert.\($0.key) beside \($0.0)")
        }
    }

    /// What Braze rejects, since it would take the place of what a push consists of.
    private static func checkExtra(_ fields: inout JSONFields) throws(JSONFieldError) {
        guard let extra = try fields.object("extra")?.object else { return }
        for name in ["ab", "aps"] where extra[name] != nil {
            throw fields.invalid("extra.\(name)", "is a key that a push has already")
        }
    }

    private static func alert(_ fields: inout JSONFields, _ title: String?) throws(JSONFieldError) -> JSONValue? {
        switch fields.value("alert") {
        case nil: return nil
        case .string(let text):
            var alert = JSONObject()
            alert["title"] = title.map(JSONValue.string)
            alert["body"] = .string(text)
            return .object(alert)
        case .object(let object):
            var alert = JSONObject()
            for (name, key, arguments) in localized {
                guard let value = object[key], value != .null else { continue }
                var text = JSONObject([("loc-key", value)])
                text["loc-args"] = object[arguments]
                alert[name] = .object(text)
            }
            let known = Set(localized.flatMap { [$0.key, $0.arguments] })
            for member in object.members where !known.contains(member.name) && member.value != .null {
                let path = "\(fields.path(of: "alert")).\(member.name)"
                guard let name = alertMembers[member.name] else {
                    // Buttons belong to notifications, which this is none of.
                    if member.name == "action_loc_key" { continue }
                    throw JSONFieldError(path: path, .unknown)
                }
                alert[name] = member.value
            }
            return .object(alert)
        case let other?:
            throw JSONFieldError(
                path: fields.path(of: "alert"), .mistyped(expected: "a string or an object", found: other.kind))
        }
    }
}
