import EyotContract
import EyotDomain

extension Audience {
    /// Reads the JSON form: `"all"`, or an object with one member, such as `{"tag": "fans"}` or `{"and": […]}`.
    ///
    /// - Parameter path: The place of the value in the body, for the error.
    package init(json: JSONValue, at path: String) throws(EyotError) {
        var reader = AudienceReader()
        self = try reader.audience(json, at: path, depth: 1)
    }
}

/// The reader of an audience. It counts, so that neither depth nor size can be abused.
private struct AudienceReader {
    private var selectors = 0
    private var elements = 0

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
        let value = member.value
        switch member.name {
        case "tag": return try oneOrMore(value, at: path, { .tag($0) }, object: Audience.tag(in:at:))
        case "user": return try user(value, at: path)
        case "device": return try device(value, at: path)
        case "installation": return try oneOrMore(value, at: path) { .installation($0) }
        case "alias": return try oneOrMore(value, at: path, { _ in nil }, object: Audience.alias(in:at:))
        case "type": return try oneOrMore(value, at: path) { .type($0) }
        case "osAtLeast": return try oneOrMore(value, at: path) { OSVersion(selecting: $0).map { .osAtLeast($0) } }
        case "osBelow": return try oneOrMore(value, at: path) { OSVersion(selecting: $0).map { .osBelow($0) } }
        case "appVersion": return try oneOrMore(value, at: path) { .appVersion($0) }
        case "appVersionAtLeast":
            return try oneOrMore(value, at: path) { AppVersion($0).map { .appVersionAtLeast($0) } }
        case "appVersionBelow":
            return try oneOrMore(value, at: path) { AppVersion($0).map { .appVersionBelow($0) } }
        case "environment":
            return try oneOrMore(value, at: path) { PushEnvironment(rawValue: $0).map { .environment($0) } }
        case "proven":
            guard let isProven = value.bool else {
                throw EyotError(.fieldMistyped, "\(path) must be true or false, not \(value.kind)", field: path)
            }
            try count(at: path)
            return isProven ? .hasUser(isProven: true) : .not(.hasUser(isProven: true))
        case "attribute": return try tests(AttributeReader.tests(in: value, at: path), at: path)
        case "lastSeen": return try tests(AttributeReader.seen(in: value, at: path), at: path)
        case "segment": return try oneOrMore(value, at: path) { .segment($0) }
        case "testDevice": return try oneOrMore(value, at: path) { .testDevice($0) }
        case "and": return .and(try parts(value, at: path, depth: depth))
        case "or": return .or(try parts(value, at: path, depth: depth))
        case "not": return .not(try audience(value, at: path, depth: depth + 1))
        default: throw EyotError(.fieldUnknown, "\(path) is not a selector", field: path)
        }
    }

    /// Reads a text, an object if the selector has such a form, or an array of them of which one must match.
    private mutating func oneOrMore(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience?,
        object: ((JSONValue, String) throws(EyotError) -> Audience)? = nil
    ) throws(EyotError) -> Audience {
        guard let elements = value.array else { return try one(value, at: path, make, object) }
        guard !elements.isEmpty else { throw EyotError(.fieldInvalid, "\(path) is empty", field: path) }
        var parts: [Audience] = []
        for (index, element) in elements.enumerated() {
            parts.append(try one(element, at: "\(path)[\(index)]", make, object))
        }
        return .or(parts)
    }

    private mutating func one(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience?,
        _ object: ((JSONValue, String) throws(EyotError) -> Audience)?
    ) throws(EyotError) -> Audience {
        try count(at: path)
        if let object, value.string == nil { return try object(value, path) }
        guard let text = value.string else {
            throw EyotError(.fieldMistyped, "\(path) must be a string, not \(value.kind)", field: path)
        }
        try FieldRule.identifier.check(text, field: path)
        guard let audience = make(text) else {
            throw EyotError(.fieldInvalid, "\(path) has a form that cannot match", field: path)
        }
        return audience
    }

    // MARK: Lists

    private mutating func user(_ value: JSONValue, at path: String) throws(EyotError) -> Audience {
        guard let users = try list(value, at: path, { $0 }) else { return try oneOrMore(value, at: path) { .user($0) } }
        return .users(users)
    }

    private mutating func device(_ value: JSONValue, at path: String) throws(EyotError) -> Audience {
        func id(_ text: String) -> DeviceID? { Int64(text).map(DeviceID.init(rawValue:)) }
        guard let ids = try list(value, at: path, id) else {
            return try oneOrMore(value, at: path) { id($0).map { .device($0) } }
        }
        return .devices(ids)
    }

    /// Reads the elements of an array, or returns nil if the value is no array.
    private mutating func list<Element>(
        _ value: JSONValue, at path: String, _ make: (String) -> Element?
    ) throws(EyotError) -> [Element]? {
        guard let array = value.array else { return nil }
        guard !array.isEmpty else { throw EyotError(.fieldInvalid, "\(path) is empty", field: path) }
        try count(at: path)
        elements += array.count
        guard elements <= Audience.listLimit else {
            throw EyotError(
                .fieldInvalid, "\(path): the audience lists more than \(Audience.listLimit) users and devices",
                field: path)
        }
        var list: [Element] = []
        list.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            guard let text = element.string else {
                throw EyotError(
                    .fieldMistyped, "\(path)[\(index)] must be a string, not \(element.kind)",
                    field: "\(path)[\(index)]")
            }
            try FieldRule.identifier.check(text, field: "\(path)[\(index)]")
            guard let made = make(text) else {
                throw EyotError(
                    .fieldInvalid, "\(path)[\(index)] has a form that cannot match", field: "\(path)[\(index)]")
            }
            list.append(made)
        }
        return list
    }

    // MARK: Parts

    private mutating func tests(_ tests: [Audience], at path: String) throws(EyotError) -> Audience {
        for _ in tests { try count(at: path) }
        return tests.count == 1 ? tests[0] : .and(tests)
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
            throw EyotError(
                .fieldInvalid, "\(path): the audience has more than \(Audience.selectorLimit) selectors", field: path)
        }
    }
}
