import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The body of Braze's `start`.
struct BrazeStart {
    var appID: String
    private(set) var declaration: VendorDeclaration

    init(_ call: Call, isLenient: Bool) throws {
        let (app, now) = (try call.app.name, call.now)
        self = try call.read { fields throws(JSONFieldError) in
            try BrazeStart(&fields, app: app, isLenient: isLenient, at: now)
        }
    }

    /// - Parameter app: the app's name. It becomes the title of an alert that is one text.
    private init(
        _ fields: inout JSONFields, app: String, isLenient: Bool, at now: Instant
    ) throws(JSONFieldError) {
        appID = try fields.required("app_id", fields.string("app_id"))
        let id = try fields.required("activity_id", fields.string("activity_id"))
        declaration = VendorDeclaration(.start, id, names: BrazePlane.names)
        declaration.body.type = try fields.required(
            "activity_attributes_type", fields.string("activity_attributes_type"))
        guard
            var attributes = try fields.required("activity_attributes", fields.object("activity_attributes")).object
        else { throw fields.invalid("activity_attributes", "must be an object") }
        switch attributes[Self.nameMember] {
        case nil, .null, .string(id): attributes[Self.nameMember] = .string(id)
        default:
            throw fields.invalid("activity_attributes.\(Self.nameMember)", "is activity_id, and says otherwise")
        }
        declaration.body.attributes = .object(attributes)
        declaration.body.content.state = try fields.required("content_state", fields.object("content_state"))
        if var notification = try fields.fields("notification") {
            try declaration.take(BrazeNotification(&notification, title: app, at: now))
        } else {
            guard isLenient else { throw JSONFieldError(path: "notification", .missing) }
            declaration.alertWithoutWords(of: app)
        }
        declaration.body.staleDate = try fields.vendorDate("stale_date")
        // Earlier pages of Braze have it. A card that starts has no end yet, so the date plans one.
        declaration.plan(
            end: try fields.vendorDate("dismissal_date"), called: "dismissal_date", at: now, dismissing: true)
        declaration.body.audience = try BrazeAudience.target(&fields)
        declaration.ignore(fields.unread)
    }

    private static let nameMember = "brazeActivityId"
}

/// The body of Braze's `update`: another state, or the end.
struct BrazeUpdate {
    var appID: String
    private(set) var declaration: VendorDeclaration

    init(_ call: Call) throws {
        let now = call.now
        self = try call.read { fields throws(JSONFieldError) in try BrazeUpdate(&fields, at: now) }
    }

    private init(_ fields: inout JSONFields, at now: Instant) throws(JSONFieldError) {
        appID = try fields.required("app_id", fields.string("app_id"))
        let id = try fields.required("activity_id", fields.string("activity_id"))
        let saysEnd = try fields.bool("end_activity")
        let dismissal = try fields.vendorDate("dismissal_date")
        // A past date ends the activity, unless the call says that it does not end.
        let ends = saysEnd ?? dismissal.map { $0 <= now } ?? false
        declaration = VendorDeclaration(ends ? .end : .update, id, names: BrazePlane.names)
        declaration.body.content.state = try fields.required("content_state", fields.object("content_state"))
        declaration.body.staleDate = try fields.vendorDate("stale_date")
        if ends {
            declaration.body.dismissalDate = dismissal
        } else if saysEnd == false, dismissal.map({ $0 <= now }) == true {
            declaration.ignore(["dismissal_date beside an end_activity that is false"])
        } else {
            declaration.plan(end: dismissal, called: "dismissal_date", at: now, dismissing: true)
        }
        declaration.body.content.priority = .immediate
        if var notification = try fields.fields("notification") {
            try declaration.take(BrazeNotification(&notification, at: now))
        }
        declaration.ignore(fields.unread)
    }
}

extension VendorDeclaration {
    fileprivate mutating func take(_ notification: BrazeNotification) {
        body.alert = notification.alert
        body.alertLifetime = notification.alertLifetime
        body.content.priority = notification.priority
        ignore(notification.ignored)
        warnings += notification.warnings
    }

    /// Uses the app's name as alert, because Apple demands an alert with every start.
    fileprivate mutating func alertWithoutWords(of app: String) {
        body.alert = ["title": .string(app), "body": "Live Activity"]
        body.content.priority = .immediate
        warnings.append("notification is missing: a start has to alert, so it says \(app)")
    }
}
