/// Which JSON values a Swift type is decoded from, by `JSONDecoder` with its default strategies.
///
/// ActivityKit decodes the attributes and states of pushes in that way and no other. So what fits the shape of a type appears on a
/// phone, and what does not fit is dropped there without a word.
public indirect enum JSONShape: Sendable, Hashable {
    /// Everything: a type that decodes itself as it likes.
    case any
    /// `null`, and nothing else.
    case null
    /// `true` or `false`.
    case bool
    /// A number that fits a type.
    case number(NumberType)
    /// A string that a type can be made of.
    case text(TextType)
    /// One of these values, which an enum has for its cases: all strings, or all whole numbers of the type.
    case cases([JSONValue], of: NumberType?)
    /// Any number of elements of one shape.
    case array(JSONShape)
    /// At least so many elements, each of its own shape; further ones are passed over.
    case tuple([JSONShape])
    /// Any members, with values of one shape.
    case map(JSONShape, keys: KeyType)
    /// Members with names and shapes of their own.
    case object(ObjectShape)
    /// Exactly one of these members: an enum whose cases carry values. Others are passed over.
    case choice([ObjectShape.Member])
    /// A value of any of these shapes. With ``null`` among them: an optional.
    case union([JSONShape])
    /// The shape of this name in the schema's ``ActivitySchema/types``.
    case reference(String)

    /// The types that are decoded from a number.
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
        /// Seconds since 2001-01-01 UTC, by the default strategy.
        case date = "Date"
    }

    /// The types that are decoded from a string.
    public enum TextType: String, Sendable, Hashable, CaseIterable {
        case string = "String"
        case url = "URL"
        case uuid = "UUID"
        /// Base64, by the default strategy.
        case data = "Data"
    }

    /// What the names of a ``map(_:keys:)`` have to be.
    public enum KeyType: Sendable, Hashable {
        case string
        /// A whole number in decimal digits.
        case integer
        /// One of these.
        case cases([String])
    }

    /// The shape of what may be `null` too.
    public static func optional(_ shape: JSONShape) -> JSONShape {
        switch shape {
        case .any, .null: shape
        case .union(let shapes): shapes.contains(.null) ? shape : .union(shapes + [.null])
        default: .union([shape, .null])
        }
    }

    /// Whether `null` fits; a reference is not looked up.
    public var isOptional: Bool {
        switch self {
        case .any, .null: true
        case .union(let shapes): shapes.contains(where: \.isOptional)
        default: false
        }
    }
}

/// The members of an object that a struct is decoded from.
public struct ObjectShape: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// Its name: the coding key.
        public var name: String
        /// What its value has to be.
        public var shape: JSONShape
        /// Whether it has to be there.
        public var isRequired: Bool

        /// Makes a member.
        public init(_ name: String, _ shape: JSONShape, isRequired: Bool = true) {
            self.name = name
            self.shape = shape
            self.isRequired = isRequired
        }
    }

    /// In the order in which they are decoded.
    public var members: [Member]
    /// Whether there may be others, which Swift passes over. Only a schema that somebody wrote by hand forbids them.
    public var allowsOthers: Bool

    /// Makes a shape of members.
    public init(_ members: [Member] = [], allowsOthers: Bool = true) {
        self.members = members
        self.allowsOthers = allowsOthers
    }

    /// The member of this name.
    public func member(_ name: String) -> Member? { members.first { $0.name == name } }
}

extension JSONShape {
    /// The shapes that stand in it directly.
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

/// A type that says its own shape: one whose decoding depends on what it finds, so that it cannot be found out.
public protocol JSONShapeDescribing {
    /// What it is decoded from.
    static var jsonShape: JSONShape { get }
}
