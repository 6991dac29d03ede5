import EyotContract

/// A type where it stands: in a member, in a list, or for a name.
///
/// What needs a name in any of the languages has one here: nothing that has members or cases stands in a use itself.
indirect enum TypeUse: Hashable {
    case any
    case null
    case bool
    case number(JSONShape.NumberType)
    case text(JSONShape.TextType)
    case list(TypeUse)
    case tuple([TypeUse])
    case map(TypeUse, keys: Keys)
    /// Of no type at all, nothing fits.
    case union([TypeUse])
    case named(String)

    /// What the names of a map's members have to be.
    enum Keys: Hashable {
        case string
        case integer
        /// One of the cases of that name.
        case named(String)
    }

    /// The types that stand in it directly.
    private var parts: [TypeUse] {
        switch self {
        case .any, .null, .bool, .number, .text, .named: []
        case .list(let element), .map(let element, _): [element]
        case .tuple(let elements), .union(let elements): elements
        }
    }

    /// The types of which one has to fit, `null` left out.
    var alternatives: [TypeUse] {
        switch self {
        case .null: []
        case .union(let types): types.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// Whether `null` fits; a name is not looked up.
    var isOptional: Bool {
        switch self {
        case .null: true
        case .union(let types): types.contains(where: \.isOptional)
        default: false
        }
    }

    /// The names in it.
    var names: [String] {
        switch self {
        case .named(let name): [name]
        case .map(let values, .named(let keys)): values.names + [keys]
        default: parts.flatMap(\.names)
        }
    }

    /// The names that a value of it is itself, and not a part of it.
    var directNames: [String] {
        alternatives.compactMap { if case .named(let name) = $0 { name } else { nil } }
    }

    /// What has to be known of the values, where a language's types do not say it.
    ///
    /// - Parameter saysRange: whether the language's type for a whole number says which ones fit.
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
