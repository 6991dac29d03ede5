import EyotContract
import EyotDomain

/// Translates Airship's audience selectors.
enum AirshipAudience {
    /// The most values of one selector.
    private static let valueLimit = 100
    /// The most selectors under one `and` or `or`.
    static let childLimit = 10
    /// The most characters of a tag, a named user and a list.
    private static let nameLimit = 128

    static func audience(_ value: JSONValue, at path: String) throws(JSONFieldError) -> Audience {
        if case .string(let word) = value {
            guard word == "all" else { throw JSONFieldError(path: path, .invalid("must be all, or an object")) }
            return .all
        }
        guard let object = value.object else {
            throw JSONFieldError(path: path, .mistyped(expected: "all or an object", found: value.kind))
        }
        if object["attribute"] != nil { return try AirshipAttribute.audience(value, at: path) }
        var members = object.members
        var group: String?
        if object["tag"] != nil, let given = object["group"] {
            group = given == .null ? nil : try text(given, at: "\(path).group")
            members.removeAll { $0.name == "group" }
        }
        guard let member = members.first, members.count == 1 else {
            throw JSONFieldError(path: path, .invalid("must have one selector"))
        }
        return try selector(member, group, at: "\(path).\(member.name)")
    }

    private static func selector(
        _ member: JSONObject.Member, _ group: String?, at path: String
    ) throws(JSONFieldError) -> Audience {
        switch member.name.lowercased() {
        case "and": return .and(try children(member.value, at: path))
        case "or": return .or(try children(member.value, at: path))
        case "not": return .not(try not(member.value, at: path))
        case "tag":
            // Airship's `device` is a group as well, and the default if none is named.
            let group = group == "device" ? nil : group
            return try oneOf(member.value, at: path, isShort: true) { .tag($0, group: group) }
        case "named_user": return try oneOf(member.value, at: path, isShort: true) { .user($0) }
        case "alias": return try oneOf(member.value, at: path) { .user($0) }
        case "static_list": return try oneOf(member.value, at: path, isShort: true) { .segment($0) }
        case "segment", "subscription_list", "subscription_lists":
            return try oneOf(member.value, at: path) { .segment($0) }
        case "channel", "ios_channel", "device_token":
            return try oneOf(member.value, at: path) { .installation($0) }
        case "android_channel", "amazon_channel", "open_channel", "sms_sender", "sms_id", "apid", "wns":
            throw JSONFieldError(path: path, .invalid("is of another platform: nothing else has Live Activities"))
        case "triggered", "activity":
            throw JSONFieldError(path: path, .invalid("is not known here: tag the users, or save a segment"))
        default: throw JSONFieldError(path: path, .unknown)
        }
    }

    private static func children(_ value: JSONValue, at path: String) throws(JSONFieldError) -> [Audience] {
        let children = try value.elements(at: path, audience)
        guard children.count <= childLimit else {
            throw JSONFieldError(path: path, .invalid("must have 1 to \(childLimit) selectors"))
        }
        return children
    }

    /// Reads one selector. Some clients send it as an array with one element.
    private static func not(_ value: JSONValue, at path: String) throws(JSONFieldError) -> Audience {
        guard let elements = value.array else { return try audience(value, at: path) }
        guard elements.count == 1 else { throw JSONFieldError(path: path, .invalid("must have one selector")) }
        return try audience(elements[0], at: "\(path)[0]")
    }

    /// - Parameter isShort: whether Airship limits the number of characters.
    private static func oneOf(
        _ value: JSONValue, at path: String, isShort: Bool = false, _ make: (String) -> Audience
    ) throws(JSONFieldError) -> Audience {
        guard let elements = value.array else { return make(try text(value, at: path, isShort: isShort)) }
        guard (1...valueLimit).contains(elements.count) else {
            throw JSONFieldError(path: path, .invalid("must have 1 to \(valueLimit) values"))
        }
        var parts: [Audience] = []
        for (index, element) in elements.enumerated() {
            parts.append(make(try text(element, at: "\(path)[\(index)]", isShort: isShort)))
        }
        return .or(parts)
    }

    static func text(_ value: JSONValue, at path: String, isShort: Bool = false) throws(JSONFieldError) -> String {
        guard let text = value.string else {
            throw JSONFieldError(path: path, .mistyped(expected: "a string", found: value.kind))
        }
        try JSONFieldError.checkIdentifier(text, at: path)
        guard !isShort || text.count <= nameLimit else {
            throw JSONFieldError(path: path, .invalid("must have at most \(nameLimit) characters"))
        }
        return text
    }
}
