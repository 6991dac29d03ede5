/// The tags and attributes that an app sets for one installation. Audiences select devices by them.
///
/// A profile is always sent whole, so the newest one replaces all older ones. As JSON it has at most
/// ``DeviceLimits/profileBytes`` bytes.
public struct DeviceProfile: Sendable, Hashable {
    /// At most ``DeviceLimits/tagsPerDevice`` tags. Each is an identifier.
    public var tags: Set<String>
    /// At most ``DeviceLimits/attributesPerDevice`` attributes by name. Each name is an identifier.
    public var attributes: [String: AttributeValue]

    /// Makes a profile. Limits are not checked here.
    public init(tags: Set<String> = [], attributes: [String: AttributeValue] = [:]) {
        self.tags = tags
        self.attributes = attributes
    }

    /// The size in UTF-8 bytes: tags, names of attributes and their texts. A number or a flag counts as 8.
    public var bytes: Int {
        tags.reduce(0) { $0 + $1.utf8.count } + attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes }
    }
}

/// The value of an attribute of a device or a user. A text in RFC 3339 form also counts as a time.
public enum AttributeValue: Sendable, Hashable {
    /// A text of at most ``DeviceLimits/attributeBytes`` bytes.
    case text(String)
    /// A finite number.
    case number(Double)
    /// `true` or `false`.
    case flag(Bool)
    /// At most ``DeviceLimits/attributeElements`` texts, each of at most ``DeviceLimits/identifierBytes`` bytes.
    case texts([String])

    /// Whether the server accepts the value.
    public var isValid: Bool {
        switch self {
        case .text(let text): text.utf8.count <= DeviceLimits.attributeBytes && !text.utf8.contains(0)
        case .number(let number): number.isFinite
        case .flag: true
        case .texts(let texts):
            texts.count <= DeviceLimits.attributeElements
                && texts.allSatisfy { $0.utf8.count <= DeviceLimits.identifierBytes && !$0.utf8.contains(0) }
        }
    }

    /// The rule of ``isValid``, in the words of error messages.
    public static let rule = """
        must be a number, true, false, a text of at most \(DeviceLimits.attributeBytes) bytes or an array of at most \
        \(DeviceLimits.attributeElements) texts of at most \(DeviceLimits.identifierBytes) bytes
        """
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// Several texts.
    public init(arrayLiteral elements: String...) { self = .texts(elements) }
}

// MARK: - JSON

extension DeviceProfile {
    init(fields: inout JSONFields) throws(JSONFieldError) {
        let tags = try fields.required("tags", fields.strings("tags"))
        guard tags.count <= DeviceLimits.tagsPerDevice else {
            throw fields.invalid("tags", "must have at most \(DeviceLimits.tagsPerDevice) elements")
        }
        for (index, tag) in tags.enumerated() where !DeviceLimits.isIdentifier(tag) {
            throw fields.invalid("tags[\(index)]", DeviceLimits.identifierRule)
        }
        let members = try fields.required("attributes", fields.object("attributes")).object?.members ?? []
        guard members.count <= DeviceLimits.attributesPerDevice else {
            throw fields.invalid("attributes", "must have at most \(DeviceLimits.attributesPerDevice) members")
        }
        self.init(tags: Set(tags))
        for member in members {
            let path = "attributes.\(member.name)"
            guard DeviceLimits.isIdentifier(member.name) else {
                throw fields.invalid(path, DeviceLimits.identifierRule)
            }
            guard let value = AttributeValue(json: member.value), value.isValid else {
                throw fields.invalid(path, AttributeValue.rule)
            }
            attributes[member.name] = value
        }
    }

    /// The members of the JSON object, sorted, so that equal profiles have equal texts.
    public var members: [(String, JSONValue)] {
        let attributes = attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return [
            ("tags", .array(tags.sorted().map(JSONValue.string))), ("attributes", .object(JSONObject(attributes))),
        ]
    }

    /// The profile as a JSON object, as it is stored.
    public var json: JSONValue { .object(JSONObject(members)) }

    /// Reads a profile that ``json`` wrote.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        try self.init(fields: &fields)
        try fields.finish()
    }
}

extension AttributeValue {
    /// Reads a value; nil if it is of no supported kind. ``isValid`` checks the limits.
    public init?(json: JSONValue) {
        switch json {
        case .string(let text): self = .text(text)
        case .bool(let flag): self = .flag(flag)
        case .number:
            guard let number = json.double else { return nil }
            self = .number(number)
        case .array(let elements):
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { return nil }
            self = .texts(texts)
        case .null, .object: return nil
        }
    }

    /// The value as it is sent and stored.
    public var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .finite(number) ?? .null
        case .flag(let flag): .bool(flag)
        case .texts(let texts): .array(texts.map(JSONValue.string))
        }
    }
}

extension AttributeValue {
    fileprivate var bytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count }
        case .number, .flag: 8
        }
    }
}
