import EyotContract
import EyotDomain

/// Translates Netmera's `target` into an audience.
enum NetmeraTarget {
    /// The most external ids in one call, as in Netmera's calls for users.
    static let idLimit = 1_000

    /// Reads the audience. A device must fit all parts, so `sendToAll` beside other parts adds no device.
    ///
    /// - Throws: an error if the target is empty, or uses a part that Eyot does not know.
    static func audience(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience {
        let isForAll = try fields.bool("sendToAll") ?? false
        var parts: [Audience] = []
        if let value = fields.value("tag") {
            parts.append(try expression(value, at: fields.path(of: "tag")) { .tag($0) })
        }
        if let value = fields.value("segment") {
            parts.append(try expression(value, at: fields.path(of: "segment")) { .segment($0) })
        }
        if let profile = try fields.fields("profile") { parts.append(try attributes(profile)) }
        if let ids = try ids(&fields) { parts.append(ids) }
        for name in ["location", "deviceToken"] where fields.value(name) != nil {
            throw fields.invalid(name, "is not known here: target tag, segment, profile or extId")
        }
        guard let first = parts.first else {
            if isForAll { return .all }
            throw JSONFieldError(
                path: fields.path(of: "sendToAll"),
                .invalid("must be true where neither tag, segment, profile nor extId says for whom it is"))
        }
        return parts.count == 1 ? first : .and(parts)
    }

    /// Reads one external id or several.
    private static func ids(_ fields: inout JSONFields) throws(JSONFieldError) -> Audience? {
        guard let value = fields.value("extId") else { return nil }
        var ids: [String] = []
        if let id = value.string { ids = [id] } else { ids = try fields.strings("extId") ?? [] }
        guard (1...idLimit).contains(Set(ids).count) else {
            throw fields.invalid("extId", "must have 1 to \(idLimit) different ids")
        }
        guard ids.allSatisfy(DeviceLimits.isIdentifier) else {
            throw fields.invalid("extId", "must have 1 to \(DeviceLimits.identifierBytes) bytes in each id and no NUL")
        }
        return .users(Set(ids).sorted())
    }

    /// Reads attributes of users. Each attribute must have one of the given values.
    private static func attributes(_ profile: JSONFields) throws(JSONFieldError) -> Audience {
        var profile = profile
        var parts: [Audience] = []
        for path in profile.unread {
            let name = String(path.dropFirst(profile.path(of: "").count))
            guard let value = profile.value(name) else { continue }
            let values = value.array ?? [value]
            guard !values.isEmpty else { throw profile.invalid(name, "is empty") }
            var rules: [Audience] = []
            for value in values {
                guard DeviceLimits.isIdentifier(name), let wanted = AttributeValue(scalar: value), wanted.isValid else {
                    throw profile.invalid(name, "must hold strings, numbers, true or false")
                }
                rules.append(.attribute(AttributeRule(name, of: .user, .equals(wanted))))
            }
            parts.append(.or(rules))
        }
        guard !parts.isEmpty else { throw JSONFieldError(path: "target.profile", .invalid("is empty")) }
        return .and(parts)
    }

    /// Reads a text, an array of texts of which one must fit, or these under `$and`, `$or` and `$not`.
    private static func expression(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience
    ) throws(JSONFieldError) -> Audience {
        switch value {
        case .string(let text):
            try JSONFieldError.checkIdentifier(text, at: path)
            return make(text)
        case .array: return .or(try list(value, at: path, make))
        case .object(let object):
            guard let member = object.members.first, object.members.count == 1 else {
                throw JSONFieldError(path: path, .invalid("must have one member: $and, $or or $not"))
            }
            let parts = try list(member.value, at: "\(path).\(member.name)", make)
            switch member.name {
            case "$and": return .and(parts)
            case "$or": return .or(parts)
            case "$not": return .not(.or(parts))
            default: throw JSONFieldError(path: "\(path).\(member.name)", .unknown)
            }
        default:
            throw JSONFieldError(path: path, .mistyped(expected: "a string, an array or an object", found: value.kind))
        }
    }

    private static func list(
        _ value: JSONValue, at path: String, _ make: (String) -> Audience
    ) throws(JSONFieldError) -> [Audience] {
        guard value.array != nil else { return [try expression(value, at: path, make)] }
        return try value.elements(at: path) { element, path throws(JSONFieldError) in
            try expression(element, at: path, make)
        }
    }
}
