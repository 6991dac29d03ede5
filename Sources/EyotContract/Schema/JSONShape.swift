/// The JSON values from which a Swift type is decoded, by `JSONDecoder` with its default strategies.
///
/// ActivityKit decodes the attributes and states of pushes the same way. So a value that fits the shape of a type
/// appears on a phone. A phone silently drops a value that does not fit.
public indirect enum JSONShape: Sendable, Hashable {
    /// Any value: a type with a decoding of its own.
    case any
    /// Only `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number that fits a type.
    case number(NumberType)
    /// A string from which a type can be made.
    case text(TextType)
    /// One of these values, the cases of an enum. All are strings, or all are whole numbers of the type.
    case cases([JSONValue], of: NumberType?)
    /// Any number of elements of one shape.
    case array(JSONShape)
    /// At least this many elements, each of its own shape. Further elements are ignored.
    case tuple([JSONShape])
    /// Any members, with values of one shape.
    case map(JSONShape, keys: KeyType)
    /// Members with their own names and shapes.
    case object(ObjectShape)
    /// Exactly one of these members: an enum with associated values. Other members are ignored.
    case choice([ObjectShape.Member])
    /// A value of any of these shapes. An optional is a union with ``null``.
    case union([JSONShape])
    /// The shape with this name in the schema's ``ActivitySchema/types``.
    case reference(String)

    /// The types that decode from a number.
    public enum NumberType: String, Sendable, Hashable, CaseIterable {
        case int = "Int"
        case int8 = "Int8"
        case int16 = "Int16"
        case int32 = "Int32"
        case int64 = "Int64"
        case uint = "UInt"
        case uint8 = "UInt8"
        case uint16 = "UInt16"
        case uint32 = "UInt32"
        case uint64 = "UInt64"
        case float = "Float"
        case double = "Double"
        case decimal = "Decimal"
        /// Seconds since 2001-01-01 UTC, the default strategy.
        case date = "Date"
    }

    /// The types that decode from a string.
    public enum TextType: String, Sendable, Hashable, CaseIterable {
        case string = "String"
        case url = "URL"
        case uuid = "UUID"
        /// Base64, the default strategy.
        case data = "Data"
    }

    /// The allowed names of a ``map(_:keys:)``.
    public enum KeyType: Sendable, Hashable {
        case string
        /// A whole number in decimal digits.
        case integer
        /// One of these names.
        case cases([String])
    }

    /// Returns a shape that `null` fits too.
    public static func optional(_ shape: JSONShape) -> JSONShape {
        switch shape {
        case .any, .null: shape
        case .union(let shapes): shapes.contains(.null) ? shape : .union(shapes + [.null])
        default: .union([shape, .null])
        }
    }

    /// Whether `null` fits. References are not resolved.
    public var isOptional: Bool {
        switch self {
        case .any, .null: true
        case .union(let shapes): shapes.contains(where: \.isOptional)
        default: false
        }
    }
}

/// The members of an object from which a struct is decoded.
public struct ObjectShape: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The member's name: the coding key.
        public var name: String
        /// The shape of the member's value.
        public var shape: JSONShape
        /// Whether the member must be present.
        public var isRequired: Bool

        /// Makes a member.
        public init(_ name: String, _ shape: JSONShape, isRequired: Bool = true) {
            self.name = name
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    /// The members in the order in which they are decoded.
    public var members: [Member]
    /// Whether other members may be present. Swift ignores them, so only a schema written by hand forbids them.
    public var allowsOthers: Bool

    /// Makes a shape of members.
    public init(_ members: [Member] = [], allowsOthers: Bool = true) {
        self.members = members
        self.allowsOthers = allowsOthers
    }

    /// Returns the member with this name; nil if there is none.
    public func member(_ name: String) -> Member? { members.first { $0.name == name } }
}

extension JSONShape {
    /// The shapes directly inside this one.
    package var parts: [JSONShape] {
        switch self {
        case .any, .null, .bool, .number, .text, .cases, .reference: []
        case .array(let shape), .map(let shape, _): [shape]
        case .tuple(let shapes), .union(let shapes): shapes
        case .object(let object): object.members.map(\.shape)
        case .choice(let choices): choices.map(\.shape)
        }
    }
}

/// A type that declares its own shape. It is needed if the type's decoding depends on the values, so that the shape
/// cannot be derived.
public protocol JSONShapeDescribing {
    /// The shape from which the type is decoded.
    static var jsonShape: JSONShape { get }
}
