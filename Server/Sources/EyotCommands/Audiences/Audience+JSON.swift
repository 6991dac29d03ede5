import EyotContract
import EyotDomain

extension Audience {
    /// Reads the JSON form: `"all"`, or an object with one member, as `{"tag": "fans"}` or `{"and": […]}`.
    ///
    /// - Parameter path: where the value stands in the body, for the error.
    package init(json: JSONValue, at path: String) throws(EyotError) {
        var reader = AudienceReader()
        self = try reader.audience(json, at: path, depth: 1)
    }
}

/// Reads an audience and counts, so that neither depth nor size can be abused.
private struct AudienceReader {
    private var selectors = 0

    mutating func audience(_ value: JSONValue, at path: String, depth: Int) throws(EyotError) -> Audience {
        guard depth <= Audience.depthLimit else {
            throw EyotError(.fieldInvalid, "\(path) is nested deeper than \(Audience.depthLimit) levels", field: path)
        }
        if let word = value.string {
            guard word == "all" else {
                throw EyotError(.fieldInvalid, "\(path) must be \"all\" or an object", field: path)
            }
            try count(at: path)
            return .all
        }
        guard let object = value.object else {
            throw EyotError(.fieldMistyped, "\(path) must be \"all\" or an object, not \(value.kind)", field: path)
        }
        guard let member = object.members.first, object.members.count == 1 else {
            throw EyotError(.fieldInvalid, "\(path) must have exactly one member", field: path)
        }
        return try selector(member, at: "\(path).\(member.name)", depth: depth)
    }

    private mutating func selector(
        _ member: JSONObject.Member, at path: String, depth: Int
    ) throws(EyotError) -> Audience {
        switch member.name {
        case "tag": return try oneOrMore(member.value, at: path) { .tag($0) }
        case "user": return try oneOrMore(member.value, at: path) { .user($0) }
        case "device":
            return try oneOrMore(member.value, at: path) { Int64($0).map { .device(DeviceID(rawValue: $0)) } }
        case "osAtLeast": return try oneOrMore(member.value, at: path) { OSVersion($0).map { .osAtLeast($0) } }
        case "appVersion": return try oneOrMore(member.value, at: path) { .appVersion($0) }
        case "and": return .and(try parts(member.value, at: path, depth: depth))
        case "or": return .or(try parts(member.value, at: path, depth: depth))
        case "not": return .not(try audience(member.value, at: path, depth: depth + 1))
        default: throw EyotError(.fieldUnknown, "\(path) is not a selector", field: path)
        }
    }

    /// A text, or an array of texts of which one has to fit.
    private mutating func oneOrMore(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience?
    ) throws(EyotError) -> Audience {
        guard let elements = value.array else { return try one(value, at: path, make) }
        guard !elements.isEmpty else { throw EyotError(.fieldInvalid, "\(path) is empty", field: path) }
        var parts: [Audience] = []
        for (index, element) in elements.enumerated() { parts.append(try one(element, at: "\(path)[\(index)]", make)) }
        return .or(parts)
    }

    private mutating func one(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience?
    ) throws(EyotError) -> Audience {
        try count(at: path)
        guard let text = value.string else {
            throw EyotError(.fieldMistyped, "\(path) must be a string, not \(value.kind)", field: path)
        }
        try FieldRule.identifier.check(text, field: path)
        guard let audience = make(text) else {
            throw EyotError(.fieldInvalid, "\(path) has a form that cannot match", field: path)
        }
        return audience
    }

    private mutating func parts(_ value: JSONValue, at path: String, depth: Int) throws(EyotError) -> [Audience] {
        guard let elements = value.array else {
            throw EyotError(.fieldMistyped, "\(path) must be an array, not \(value.kind)", field: path)
        }
        guard !elements.isEmpty else { throw EyotError(.fieldInvalid, "\(path) is empty", field: path) }
        var parts: [Audience] = []
        for (index, element) in elements.enumerated() {
            parts.append(try audience(element, at: "\(path)[\(index)]", depth: depth + 1))
        }
        return parts
    }

    private mutating func count(at path: String) throws(EyotError) {
        selectors += 1
        guard selectors <= Audience.selectorLimit else {
            throw EyotError(.fieldInvalid, "\(path): more than \(Audience.selectorLimit) selectors", field: path)
        }
    }
}
