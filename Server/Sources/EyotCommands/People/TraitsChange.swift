import EyotContract
import EyotDomain

/// A change of a user's or a device's traits. Traits that it does not name stay.
package struct TraitsChange: Sendable, Hashable {
    /// Whether the named traits replace the former ones or are merged into them.
    package enum Mode: Sendable {
        case replace, merge
    }

    enum Tags: Sendable, Hashable {
        case all(Set<String>)
        case some(added: Set<String>, removed: Set<String>)

        func applied(to former: Set<String>) -> Set<String> {
            switch self {
            case .all(let tags): tags
            case .some(let added, let removed): former.union(added).subtracting(removed)
            }
        }
    }

    let mode: Mode
    var tags: Tags?
    /// The tags by group. A nil value removes the group.
    var groups: [String: Tags?]?
    /// The attributes by name. A nil value removes the attribute.
    var attributes: [String: AttributeValue?]?

    package var isEmpty: Bool { tags == nil && groups == nil && attributes == nil }

    package init(fields: inout JSONFields, _ mode: Mode) throws(JSONFieldError) {
        self.mode = mode
        tags = try Self.tags(&fields, "tags", mode)
        if let members = try Self.members(&fields, "tagGroups", most: Traits.tagLimit) {
            var inner = try JSONFields(.object(JSONObject(members)), at: fields.path(of: "tagGroups"))
            var groups: [String: Tags?] = [:]
            for (name, value) in members {
                groups[name] = .some(try value == .null ? nil : Self.tags(&inner, name, mode))
            }
            self.groups = groups
        }
        if let members = try Self.members(&fields, "attributes", most: Traits.attributeLimit) {
            var attributes: [String: AttributeValue?] = [:]
            for (name, value) in members {
                guard value == .null || AttributeValue(json: value)?.isValid == true else {
                    throw fields.invalid("attributes.\(name)", AttributeValue.rule)
                }
                attributes[name] = .some(AttributeValue(json: value))
            }
            self.attributes = attributes
        }
    }

    /// The members of an object, including null ones. Each name must be an identifier.
    static func members(
        _ fields: inout JSONFields, _ name: String, most: Int
    ) throws(JSONFieldError) -> [(String, JSONValue)]? {
        guard let members = try fields.object(name)?.object?.members else { return nil }
        guard members.count <= most else { throw fields.invalid(name, "must have at most \(most) members") }
        for member in members where !DeviceLimits.isIdentifier(member.name) {
            throw fields.invalid("\(name).\(member.name)", "has a name that is empty, too long or has a NUL")
        }
        return members.map { ($0.name, $0.value) }
    }

    private static func tags(_ fields: inout JSONFields, _ name: String, _ mode: Mode) throws(JSONFieldError) -> Tags? {
        if mode == .merge, fields.value(name)?.object != nil {
            guard var inner = try fields.fields(name) else { return nil }
            let (added, removed) = (try list(&inner, "add"), try list(&inner, "remove"))
            try inner.finish()
            guard added != nil || removed != nil else { throw inner.invalid("add", "is missing, and so is remove") }
            return .some(added: Set(added ?? []), removed: Set(removed ?? []))
        }
        return try list(&fields, name).map { .all(Set($0)) }
    }

    private static func list(_ fields: inout JSONFields, _ name: String) throws(JSONFieldError) -> [String]? {
        guard let list = try fields.strings(name) else { return nil }
        guard list.count <= Traits.tagLimit else {
            throw fields.invalid(name, "must have at most \(Traits.tagLimit) elements")
        }
        for (index, tag) in list.enumerated() where !DeviceLimits.isIdentifier(tag) {
            throw fields.invalid("\(name)[\(index)]", "must have 1 to \(DeviceLimits.identifierBytes) bytes and no NUL")
        }
        return list
    }

    /// - Throws: `fieldInvalid` if a limit would be exceeded.
    func applied(to former: Traits) throws(EyotError) -> Traits {
        var traits = former
        if let tags { traits.tags = tags.applied(to: former.tags) }
        if let groups {
            if mode == .replace { traits.tagGroups = [:] }
            for (name, tags) in groups { traits.tagGroups[name] = tags?.applied(to: traits.tagGroups[name] ?? []) }
            traits.tagGroups = traits.tagGroups.filter { !$0.value.isEmpty }
        }
        if let attributes {
            if mode == .replace { traits.attributes = [:] }
            for (name, value) in attributes { traits.attributes[name] = value }
        }
        guard traits.tags.count + traits.tagGroups.values.reduce(0, { $0 + $1.count }) <= Traits.tagLimit else {
            throw EyotError(.fieldInvalid, "there would be more than \(Traits.tagLimit) tags", field: "tags")
        }
        guard traits.attributes.count <= Traits.attributeLimit else {
            throw EyotError(
                .fieldInvalid, "there would be more than \(Traits.attributeLimit) attributes", field: "attributes")
        }
        return traits
    }
}
