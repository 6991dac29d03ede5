import EyotContract
import EyotDomain

/// The content of a start, from a bulk call's `message` or a definition.
struct NetmeraContent: Sendable {
    var title: String
    var text: String
    var type: String
    var attributes: JSONObject
    var contentState: JSONValue
    /// The name, from its own member or from the attributes.
    var groupID: String?
    var endDate: Instant?
    /// Misplaced dates that do not belong to a start, if they are tolerated.
    var misplaced: [String] = []

    private static let groupMember = "netmeraGroupId"

    /// - Parameters:
    ///   - texts: the members that may hold the alert's body, because Netmera's pages and samples differ.
    ///   - isLenient: whether misplaced dates, and dates in other zones than UTC, are accepted.
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

    /// Returns the attributes with the name in the member by which devices know it.
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
    /// Reads the name of a group; nil if it is missing.
    mutating func netmeraGroup() throws(JSONFieldError) -> String? {
        guard let name = try string("groupId") else { return nil }
        guard !name.isEmpty else { throw invalid("groupId", "is empty") }
        return name
    }

    /// Reads a date, which Netmera's callers write in UTC.
    mutating func netmeraDate(_ name: String, isLenient: Bool) throws(JSONFieldError) -> Instant? {
        guard let date = try vendorDate(name) else { return nil }
        let isUTC = try string(name).map(VendorDate.isUTC) ?? true
        guard isLenient || isUTC else { throw invalid(name, "must be in UTC, with Z") }
        return date
    }

    /// Reads dates of updates and ends in a start.
    ///
    /// - Returns: their paths, if they are tolerated.
    mutating func misplacedDates(isLenient: Bool) throws(JSONFieldError) -> [String] {
        var paths: [String] = []
        for name in ["staleDate", "dismissalDate"] where value(name) != nil {
            guard isLenient else { throw invalid(name, "does not belong to a start") }
            _ = try vendorDate(name)
            paths.append(path(of: name))
        }
        return paths
    }

    /// Checks that a call is about a Live Activity, if it names its subject.
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
