import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// Braze's object for a push to Apple, with the members that matter for a Live Activity.
struct BrazeNotification {
    /// The alert with Apple's member names.
    var alert: JSONValue?
    var priority: APNSPriority
    /// How many seconds the alert is worth delivering; nil if the call says nothing.
    var alertLifetime: Double?
    var ignored: [String]
    var warnings: [String] = []

    /// Braze's members of an alert, and Apple's names for them.
    private static let alertMembers = [
        "title": "title", "body": "body", "subtitle": "subtitle", "sound": "sound",
    ]
    /// Keys of texts in the app, and their place in Apple's alert of a Live Activity.
    private static let localized = [
        ("title", key: "title_loc_key", arguments: "title_loc_args"), ("body", key: "loc_key", arguments: "loc_args"),
    ]

    /// - Parameter title: the title of an alert that is one text; nil if it needs none.
    init(_ fields: inout JSONFields, title: String? = nil, at now: Instant) throws(JSONFieldError) {
        alert = try Self.alert(&fields, title)
        warnings = Self.idleKeys(fields.value("alert"))
        try Self.checkExtra(&fields)
        // Apple's default applies unless the call says otherwise: 10, or 5 with content for the background.
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

    /// Limits the life of the alert. The content is shown whenever it arrives, because only the alert gets old.
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

    /// Warns about keys of texts beside the texts themselves. Apple accepts one of the two, and the text is used.
    private static func idleKeys(_ alert: JSONValue?) -> [String] {
        func has(_ name: String) -> Bool { alert?.object?[name].map { $0 != .null } ?? false }
        return localized.filter { has($0.0) && has($0.key) }.map {
            VendorDeclaration.ignored("notification.alert.\($0.key) beside \($0.0)")
        }
    }

    /// Rejects, as Braze does, members that would replace parts of the push.
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
                    // Action buttons belong to notifications, and a Live Activity's alert has none.
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
