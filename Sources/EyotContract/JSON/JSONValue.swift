/// A JSON value that keeps the order of members and the literal of each number. Foundation loses both.
///
/// Content states travel from a backend through the server to a widget. `2.50` must arrive as `2.50`, and members in
/// their written order. So values are parsed once at the edge and passed on unchanged.
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

    /// Makes an object of members. A repeated name keeps its first place and takes the later value.
    public init(_ members: [(String, JSONValue)]) {
        self.members = []
        for (name, value) in members { self[name] = value }
    }

    /// Makes an object of members. The parser has checked that their names are unique.
    init(unique members: [Member]) { self.members = members }

    /// The value of a member; nil if it is absent. Setting a new name appends it; setting nil removes it.
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
    /// The members; nil if the value is not an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The text; nil if the value is not a string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The flag; nil if the value is not `true` or `false`.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements; nil if the value is not an array.
    public var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The number as an integer; nil if it is not whole or does not fit. `3.0` and `3e0` are integers too.
    public var integer: Int? {
        guard case .number(let literal) = self else { return nil }
        if let integer = Int(literal) { return integer }
        guard let double = Double(literal), double == double.rounded() else { return nil }
        return Int(exactly: double)
    }

    /// The number as the nearest double; nil if the value is not a number or not finite as a double.
    public var double: Double? {
        guard case .number(let literal) = self, let double = Double(literal), double.isFinite else { return nil }
        return double
    }

    /// The kind of the value, in the words of error messages.
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
    /// A number. Literals in Swift are finite.
    public init(floatLiteral value: Double) { self = .number(String(value)) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object. A repeated name takes the later value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// A number; nil if it is infinite or NaN, because JSON has no literal for those.
    public static func finite(_ value: Double) -> JSONValue? { value.isFinite ? .number("\(value)") : nil }

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}
