import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The body of `sendBulkNotification`: a card for each device of its target.
struct NetmeraStart {
    var content: NetmeraContent
    var group: String
    var audience: Audience
    var unread: [String]

    init(_ call: Call, isLenient: Bool) throws {
        self = try call.read { fields throws(JSONFieldError) in try NetmeraStart(&fields, isLenient: isLenient) }
    }

    private init(_ fields: inout JSONFields, isLenient: Bool) throws(JSONFieldError) {
        var message = try fields.required("message", fields.fields("message"))
        // Netmera's documentation has the type inside the message, and its sample app beside it.
        let isTyped = try fields.isLiveActivity()
        guard try message.isLiveActivity() || isTyped else {
            throw JSONFieldError(path: message.path(of: "type"), .missing)
        }
        let beside = try fields.netmeraGroup()
        content = try NetmeraContent(&message, texts: ["body", "text"], isLenient: isLenient)
        group = try message.required("groupId", content.groupID ?? beside)
        guard var target = try fields.fields("target") else {
            throw JSONFieldError(path: "target", .missing)
        }
        audience = try NetmeraTarget.audience(&target)
        let misplaced = try fields.misplacedDates(isLenient: isLenient)
        unread = misplaced + fields.unread + content.misplaced + message.unread + target.unread
    }

    func declaration(at now: Instant) -> VendorDeclaration { content.start(group, audience, unread, at: now) }
}

extension NetmeraContent {
    /// Checks that a start with this content and a short group name fits into a payload.
    ///
    /// - Throws: `payloadTooLarge`.
    func checkSize(at now: Instant) throws(EyotError) {
        let (request, _) = try start(groupID ?? "g", .all, [], at: now).body.request(at: now)
        _ = try PayloadSize(request, activity: nil, current: nil).check()
    }

    /// Returns a start with this content for an audience.
    func start(_ group: String, _ audience: Audience, _ unread: [String], at now: Instant) -> VendorDeclaration {
        var start = VendorDeclaration(.start, group, names: NetmeraPlane.names)
        start.body.type = type
        start.body.attributes = attributes(named: group)
        start.body.content.state = contentState
        start.body.alert = ["title": .string(title), "body": .string(text)]
        start.body.audience = audience
        start.plan(end: endDate, called: "liveActEndDate", at: now)
        start.ignore(unread)
        return start
    }
}
