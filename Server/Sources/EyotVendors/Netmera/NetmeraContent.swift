import EyotContract
import EyotDomain

/// What a start shows, as it stands in a bulk call's `message` and in a definition.
struct NetmeraContent: Sendable {
    var title: String
    var text: String
    var type: String
    var attributes: JSONObject
    var contentState: JSONValue
    /// The name, be it in its own member or among the attributes.
    var groupID: String?
    var endDate: Instant?
    /// Dates that stood here and belong to no start, where that is let pass.
    var misplaced: [String] = []

    private static let groupMember = "netmeraGroupId"

    /// - Parameter texts: the members that may hold the alert's body: their pages and samples differ.
    /// - Parameter isLenient: takes dates that do not belong to a start, and those in other zones than UTC.
    init(_ fields: inout JSONFields, texts: [String], isLenient: Bool = false) throws(JSONFieldError) {
        title = try fields.required("title", fields.string("title"))
        var found: String?
        for name in texts {
            let text = try fields.string(name)
            found = found ?? text
        }
        text = try fields.required(texts[0], found)
        type = try fields.required("liveActAttrType", fields.string("liveActAttrType"))
        guard let attributes = try fields.required("liveActAttr", fields.object("liveActAttr")).object else {
            throw fields.invalid("liveActAttr", "must be an object")
        }
        self.attributes = attributes
        contentState = try fields.required("contentState", fields.object("contentState"))
        endDate = try fields.netmeraDate("liveActEndDate", isLenient: isLenient)
        groupID = try Self.group(try fields.netmeraGroup(), attributes, &fields)
        try Self.checkPlatforms(&fields)
        misplaced = try fields.misplacedDates(isLenient: isLenient)
    }

    /// The attributes with the name in the member by which their phones know it.
    func attributes(named group: String) -> JSONValue {
        var object = attributes
        object[Self.groupMember] = .string(group)
        return .object(object)
    }

    private static func group(
        _ own: String?, _ attributes: JSONObject, _ fields: inout JSONFields
    ) throws(JSONFieldError) -> String? {
        switch attributes[groupMember] {
        case nil, .null, .string(""): return own
        case .string(let name) where own == nil || own == name: return name
        case .string:
            throw fields.invalid("liveActAttr.\(groupMember)", "names another group than groupId does")
        default: throw fields.invalid("liveActAttr.\(groupMember)", "must be a string")
        }
    }

    private static func checkPlatforms(_ fields: inout JSONFields) throws(JSONFieldError) {
        guard let platforms = try fields.strings("platforms") else { return }
        guard platforms.contains(where: { $0.uppercased() == "IOS" }) else {
            throw fields.invalid("platforms", "must contain IOS: nothing else has Live Activities")
        }
    }
}

extension JSONFields {
    /// The name of a group, where there is one that is not empty.
    mutating func netmeraGroup() throws(JSONFieldError) -> String? {
        guard let name = try string("groupId") else { return nil }
        guard !name.isEmpty else { throw invalid("groupId", "is empty") }
        return name
    }

    /// A date, which Netmera's callers write in UTC.
    mutating func netmeraDate(_ name: String, isLenient: Bool) throws(JSONFieldError) -> Instant? {
        guard let date = try vendorDate(name) else { return nil }
        let isUTC = try string(name).map(VendorDate.isUTC) ?? true
        guard isLenient || isUTC else { throw invalid(name, "must be in UTC, with Z") }
        return date
    }

    /// The dates of updates and ends that stand in a start.
    ///
    /// - Returns: their paths, where they are let pass.
    mutating func misplacedDates(isLenient: Bool) throws(JSONFieldError) -> [String] {
        var paths: [String] = []
        for name in ["staleDate", "dismissalDate"] where value(name) != nil {
            guard isLenient else { throw invalid(name, "does not belong to a start") }
            _ = try vendorDate(name)
            paths.append(path(of: name))
        }
        return paths
    }

    /// Demands that a call is about a Live Activity, where it says what it is about.
    ///
    /// - Returns: whether it does.
    mutating func isLiveActivity() throws(JSONFieldError) -> Bool {
        guard let type = try string("type") else { return false }
        guard type.uppercased() == "LIVE_ACTIVITY" else {
            throw invalid("type", "must be LIVE_ACTIVITY: other notifications are not sent from here")
        }
        return true
    }
}
