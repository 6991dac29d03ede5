import EyotContract

/// A schema and the file that contains it.
struct SchemaSource {
    var file: String
    var schema: ActivitySchema
}

/// The types that are written for a backend: named definitions that contain no other definition.
///
/// Languages differ in which types may stand without a name. So each type with members or cases gets a name here, made
/// from its place. The writer of a language only writes them down.
struct BackendTypes {
    /// A type with a name.
    struct Definition {
        /// An ASCII identifier that begins with a letter and is not reserved in the language.
        var name: String
        var body: Body
        /// The purpose of the type; nil if it is not known.
        var note: String?
    }

    enum Body {
        case object([Member])
        /// Exactly one of the choices.
        case choice([Choice])
        case texts([String])
        case numbers([Int], JSONShape.NumberType)
        case alias(TypeUse)
    }

    struct Member {
        /// The name in JSON, which may be any text.
        var name: String
        var type: TypeUse
        var isRequired: Bool
    }

    struct Choice {
        /// The only member of its object. Its name may be any text.
        var member: String
        var type: TypeUse
        /// A name for the object with this member, for languages that need one.
        var objectName: String
    }

    /// The definitions, in the order in which they are written.
    private(set) var definitions: [Definition] = []
    private let reserved: Set<String>
    private var taken: Set<String>

    /// - Parameter reserved: names that the language reserves.
    /// - Throws: ``TypeNameConflict`` if one name would stand for two types.
    init(_ sources: [SchemaSource], reserved: Set<String>) throws(TypeNameConflict) {
        let claims = try TypeClaim.all(in: sources, reserved: reserved)
        self.reserved = reserved
        taken = reserved.union(claims.map(\.identifier))
        for claim in claims { define(claim.identifier, claim.shape, note: claim.note) }
    }

    private mutating func define(_ name: String, _ shape: JSONShape, note: String? = nil) {
        let index = definitions.count
        definitions.append(Definition(name: name, body: .alias(.any), note: note))
        definitions[index].body = body(of: shape, name)
    }

    private mutating func body(of shape: JSONShape, _ name: String) -> Body {
        switch shape {
        case .object(let object) where shape.needsName:
            return .object(
                object.members.map { member in
                    let type = use(member.shape, as: Self.name(name, member.name))
                    return Member(name: member.name, type: type, isRequired: member.isRequired)
                })
        case .choice(let choices) where shape.needsName:
            return .choice(
                choices.map { choice in
                    let object = freeName(Self.name(name, choice.name))
                    let type = use(choice.shape, as: object + "Values")
                    return Choice(member: choice.name, type: type, objectName: object)
                })
        case .cases(let values, let number) where shape.needsName:
            guard let number else { return .texts(values.compactMap(\.string).withoutRepeats) }
            return .numbers(values.compactMap(\.integer).withoutRepeats, number)
        default: return .alias(use(shape, as: name))
        }
    }

    /// - Parameter name: the proposed name for a type that needs one.
    private mutating func use(_ shape: JSONShape, as name: String) -> TypeUse {
        if shape.needsName {
            let free = freeName(name)
            define(free, shape)
            return .named(free)
        }
        return switch shape {
        case .any: .any
        case .null: .null
        case .bool: .bool
        case .number(let type): .number(type)
        case .text(let type): .text(type)
        case .array(let element): .list(use(element, as: name))
        case .tuple(let elements): .tuple(elements.map { use($0, as: name) })
        case .map(let values, .string): .map(use(values, as: name), keys: .string)
        case .map(let values, .integer): .map(use(values, as: name), keys: .integer)
        case .map(let values, .cases(let names)):
            .map(use(values, as: name), keys: keys(names, as: name + "Key"))
        case .union(let shapes): .union(shapes.map { use($0, as: name) })
        case .reference(let name): .named(Identifier.ofType(name, reserved))
        // A struct without members accepts any object. A choice or an enum without cases accepts no value.
        case .object: .map(.any, keys: .string)
        case .choice, .cases: .union([])
        }
    }

    private mutating func keys(_ names: [String], as name: String) -> TypeUse.Keys {
        let keys = use(.cases(names.map(JSONValue.string), of: nil), as: name)
        return if case .named(let name) = keys { .named(name) } else { .string }
    }

    private static func name(_ parent: String, _ member: String) -> String {
        let words = Identifier.letters(of: member)
        return parent + words.prefix(1).uppercased() + words.dropFirst()
    }

    private mutating func freeName(_ name: String) -> String {
        let free = Identifier.free(name) { taken.contains($0) }
        taken.insert(free)
        return free
    }
}

extension BackendTypes {
    /// The names that are only aliases of a type.
    var aliases: [String: TypeUse] {
        var aliases: [String: TypeUse] = [:]
        for definition in definitions { if case .alias(let type) = definition.body { aliases[definition.name] = type } }
        return aliases
    }

    /// Whether `null` fits, also through the type of a name.
    func isOptional(_ type: TypeUse) -> Bool {
        type.isOptional || type.alternatives.contains(.any)
            || type.directNames.contains { aliases[$0].map(isOptional) ?? false }
    }

    /// The aliases that contain themselves through nothing but aliases.
    var recursiveAliases: Set<String> {
        let aliases = aliases
        return Set(
            aliases.keys.filter { name in
                var (open, seen) = (aliases[name]?.names ?? [], Set<String>())
                while let next = open.popLast() {
                    if next == name { return true }
                    if seen.insert(next).inserted { open += aliases[next]?.names ?? [] }
                }
                return false
            })
    }
}

extension JSONShape {
    /// Whether it has members or cases.
    fileprivate var needsName: Bool {
        switch self {
        case .object(let object): !object.members.isEmpty
        case .choice(let choices): !choices.isEmpty
        case .cases(let values, _): !values.isEmpty
        default: false
        }
    }
}
