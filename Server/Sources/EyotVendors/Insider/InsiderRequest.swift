import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// A call that sets participants.
struct InsiderPeople {
    /// Nil if the call creates the activity.
    var id: String?
    var type: String
    var users: [String]
    var endsAt: Instant?
    /// Warnings for the caller of an accepted call.
    var warnings: [String]

    init(_ call: Call, registers: Bool) throws {
        self = try call.read { fields throws(JSONFieldError) in try InsiderPeople(&fields, registers: registers) }
    }

    private init(_ fields: inout JSONFields, registers: Bool) throws(JSONFieldError) {
        id = registers ? nil : try fields.insiderText("activity_id")
        type = try fields.insiderText("activity_type")
        let ids = try fields.required("insider_ids", fields.strings("insider_ids"))
        guard (1...InsiderActivity.userLimit).contains(ids.count), ids.allSatisfy(DeviceLimits.isIdentifier) else {
            throw fields.invalid(
                "insider_ids",
                "must have 1 to \(InsiderActivity.userLimit) ids of 1 to \(DeviceLimits.identifierBytes) bytes")
        }
        users = Set(ids).sorted()
        if registers { endsAt = try fields.required("ends_at", fields.vendorDate("ends_at")) }
        warnings = fields.unread.map(VendorDeclaration.ignored)
    }
}

/// A call that sets the content of cards.
struct InsiderContent {
    var id: String
    var type: String
    private(set) var declaration: VendorDeclaration
    var targets: [Target]

    struct Target: Sendable, Hashable {
        var user: String
        var installation: String
    }

    private static let nameMember = "insiderLiveActivityId"

    init(_ call: Call, _ verb: DeclarationRequest.Verb) throws {
        self = try call.read { fields throws(JSONFieldError) in try InsiderContent(&fields, verb) }
    }

    private init(_ fields: inout JSONFields, _ verb: DeclarationRequest.Verb) throws(JSONFieldError) {
        id = try fields.insiderText("activity_id")
        type = try fields.insiderText("activity_type")
        declaration = VendorDeclaration(verb, id, names: InsiderPlane.names)
        let unreadOfTargets: [String]
        (targets, unreadOfTargets) = try Self.targets(&fields)
        let isNeeded = verb != .end
        if verb == .end { declaration.takeDismissal(&fields) }
        let named = try fields.fields("content")
        declaration.ignore(fields.unread + unreadOfTargets)
        guard var content = named else {
            guard isNeeded else { return }
            throw JSONFieldError(path: "content", .missing)
        }
        if verb == .end { declaration.takeDismissal(&content) }
        let state = try content.object("content_state")
        declaration.body.content.state = isNeeded ? try content.required("content_state", state) : state
        declaration.body.alert = try Self.alert(&content, isNeeded: verb == .start)
        let attributes = try content.object("attributes")
        if verb == .start { declaration.body.attributes = try Self.named(attributes, id, content) }
        declaration.ignore(content.unread)
    }

    private static func alert(
        _ content: inout JSONFields, isNeeded: Bool
    ) throws(JSONFieldError) -> JSONValue? {
        let (title, message) = (try content.string("title"), try content.string("message"))
        if isNeeded {
            _ = try content.required("title", title)
            _ = try content.required("message", message)
        }
        var alert = JSONObject()
        alert["title"] = title.map(JSONValue.string)
        alert["body"] = message.map(JSONValue.string)
        return alert.members.isEmpty ? nil : .object(alert)
    }

    /// Returns the attributes with the activity's id, by which the device recognises the card.
    private static func named(
        _ attributes: JSONValue?, _ id: String, _ content: JSONFields
    ) throws(JSONFieldError) -> JSONValue {
        var object = attributes?.object ?? JSONObject()
        switch object[nameMember] {
        case nil, .null: object[nameMember] = .string(id)
        case .string(let other) where other != id:
            throw content.invalid("attributes.\(nameMember)", "is activity_id, and says otherwise")
        // The form in which Insider's own SDK writes it is not public. A value that is not a text may be that form.
        default: break
        }
        return .object(object)
    }

    /// - Returns: the target devices, and the paths of members that have no effect.
    private static func targets(_ fields: inout JSONFields) throws(JSONFieldError) -> ([Target], unread: [String]) {
        guard let elements = try fields.array("target_devices") else { return ([], []) }
        guard elements.count <= InsiderActivity.userLimit else {
            throw fields.invalid("target_devices", "must have at most \(InsiderActivity.userLimit) devices")
        }
        var targets: [Target] = []
        var unread: [String] = []
        for (index, element) in elements.enumerated() {
            var target = try JSONFields(element, at: "target_devices[\(index)]")
            targets.append(
                Target(
                    user: try target.insiderText("insider_id"), installation: try target.insiderText("udid")))
            unread += target.unread
        }
        return (targets, unread)
    }
}

extension VendorDeclaration {
    /// Reads when an ended card leaves the screen. Insider's guide names the date, but no page gives its place or form.
    /// So a value that is not a date is no error.
    fileprivate mutating func takeDismissal(_ fields: inout JSONFields) {
        let name = "dismissal_date"
        guard let value = fields.value(name) else { return }
        guard let moment = value.string.flatMap(VendorDate.moment) else {
            warnings.append(Self.ignored(fields.path(of: name)) + ": it must be an ISO 8601 date with a zone")
            return
        }
        body.dismissalDate = moment
    }
}

extension JSONFields {
    /// Reads a text that may name something. An empty text counts as missing.
    fileprivate mutating func insiderText(_ name: String) throws(JSONFieldError) -> String {
        let text = try required(name, string(name).flatMap { $0.isEmpty ? nil : $0 })
        try JSONFieldError.checkIdentifier(text, at: path(of: name))
        return text
    }
}
