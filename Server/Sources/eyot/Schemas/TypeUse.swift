import EyotContract

/// A type at the place where it is used: in a member, in a list, or for a name.
///
/// A type with members or cases is always a named one, because some language needs a name for it.
indirect enum TypeUse: Hashable {
    case any
    case null
    case bool
    case number(JSONShape.NumberType)
    case text(JSONShape.TextType)
    case list(TypeUse)
    case tuple([TypeUse])
    case map(TypeUse, keys: Keys)
    /// A union. No value fits an empty one.
    case union([TypeUse])
    case named(String)

    /// The kind of names that a map's members have.
    enum Keys: Hashable {
        case string
        case integer
        /// One of the cases of the type with this name.
        case named(String)
    }

    /// The types that it contains directly.
    private var parts: [TypeUse] {
        switch self {
        case .any, .null, .bool, .number, .text, .named: []
        case .list(let element), .map(let element, _): [element]
        case .tuple(let elements), .union(let elements): elements
        }
    }

    /// The types of which one must fit, without `null`.
    var alternatives: [TypeUse] {
        switch self {
        case .null: []
        case .union(let types): types.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// Whether `null` fits. A name is not looked up.
    var isOptional: Bool {
        switch self {
        case .null: true
        case .union(let types): types.contains(where: \.isOptional)
        default: false
        }
    }

    /// All names in it.
    var names: [String] {
        switch self {
        case .named(let name): [name]
        case .map(let values, .named(let keys)): values.names + [keys]
        default: parts.flatMap(\.names)
        }
    }

    /// The names that describe the value itself and not a part of it.
    var directNames: [String] {
        alternatives.compactMap { if case .named(let name) = $0 { name } else { nil } }
    }

    /// Returns notes about the values that a language's types do not express.
    ///
    /// - Parameter saysRange: whether the language's type for a whole number gives its range.
    func notes(saysRange: (JSONShape.NumberType) -> Bool) -> [String] {
        switch self {
        case .number(.date): ["Date: seconds since 2001-01-01 UTC"]
        case .number(let type) where type.isWhole && !saysRange(type): ["\(type.rawValue): a whole number"]
        case .text(.url): ["URL"]
        case .text(.uuid): ["UUID"]
        case .text(.data): ["Data: base64"]
        case .map(let values, .integer): ["names are whole numbers"] + values.notes(saysRange: saysRange)
        default: parts.flatMap { $0.notes(saysRange: saysRange) }.withoutRepeats
        }
    }
}

extension JSONShape.NumberType {
    /// Whether only whole numbers fit.
    fileprivate var isWhole: Bool { ![.float, .double, .decimal, .date].contains(self) }
}

extension Array where Element: Hashable {
    /// The elements in their order, each once.
    var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
