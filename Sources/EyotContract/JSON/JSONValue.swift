/// A JSON value that keeps what Foundation loses: the order of members and the literal of each number.
///
/// Content states travel from a backend through the server to a widget. `2.50` must arrive as `2.50`, and members in the
/// order they were written, so values are parsed once at the edge and afterwards only carried.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// The number as it was written, for example `1e3`. Always a valid JSON number.
    case number(String)
    /// A text, without quotes and escapes.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Members in their order.
    case object(JSONObject)
}

/// The members of a JSON object in the order in which they were written. Names are unique.
public struct JSONObject: Sendable, Hashable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, without quotes and escapes.
        public var name: String
        /// Its value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// Makes an object of members; a name that comes twice keeps its place and takes the later value.
    public init(_ members: [(String, JSONValue)]) {
        self.members = []
        for (name, value) in members { self[name] = value }
    }

    /// The parser has checked that names are unique.
    init(unique members: [Member]) { self.members = members }

    /// The value of a member, or nil where there is none. Setting a new name appends it; setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (let index?, nil): members.remove(at: index)
            case (nil, nil): break
            }
        }
    }
}

extension JSONValue {
    /// The members, where this is an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The text, where this is a string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The value, where this is `true` or `false`.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements, where this is an array.
    public var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The number as an integer, where it is one and fits; `3.0` and `3e0` are integers too.
    public var integer: Int? {
        guard case .number(let literal) = self else { return nil }
        if let integer = Int(literal) { return integer }
        guard let double = Double(literal), double == double.rounded() else { return nil }
        return Int(exactly: double)
    }

    /// The number as the nearest double, where this is a number that is finite as one.
    public var double: Double? {
        guard case .number(let literal) = self, let double = Double(literal), double.isFinite else { return nil }
        return double
    }

    /// What kind of value this is, in the words of error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// A number; literals in Swift are finite.
    public init(floatLiteral value: Double) { self = .number(String(value)) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; a name that comes twice takes the later value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// A number, nil where it is infinite or not a number: JSON has no literal for those.
    public static func finite(_ value: Double) -> JSONValue? { value.isFinite ? .number("\(value)") : nil }

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}
