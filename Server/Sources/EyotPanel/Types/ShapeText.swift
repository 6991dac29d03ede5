import EyotContract

/// A member of a type, as a page compares it: its place, and what decodes there.
struct SchemaMember: Hashable {
    /// `attributes.home`, `contentState.goals[].minute`.
    var path: String
    var type: String
}

/// The members of a schema, each by its place.
struct SchemaMembers {
    /// How deep shapes are followed, so that a type that contains itself ends.
    private static let depth = 6
    /// The most members that are listed.
    private static let limit = 500

    private let types: [String: JSONShape]
    private(set) var all: [SchemaMember] = []

    init(_ schema: ActivitySchema) {
        types = schema.types
        add(schema.attributes, at: "attributes", Self.depth)
        add(schema.contentState, at: "contentState", Self.depth)
    }

    private mutating func add(_ shape: JSONShape, at path: String, _ depth: Int) {
        guard depth > 0, all.count < Self.limit else { return }
        switch shape {
        case .object(let object):
            for member in object.members {
                let place = "\(path).\(member.name)"
                let type = Self.text(of: member.shape) + (member.isRequired || member.shape.isOptional ? "" : "?")
                all.append(SchemaMember(path: place, type: type))
                add(member.shape, at: place, depth - 1)
            }
        case .reference(let name): types[name].map { add($0, at: path, depth - 1) }
        case .array(let element): add(element, at: "\(path)[]", depth - 1)
        case .map(let value, _): add(value, at: "\(path)[…]", depth - 1)
        case .union(let shapes):
            for one in shapes where one != .null { add(one, at: path, depth - 1) }
        case .choice(let members):
            for member in members {
                all.append(SchemaMember(path: "\(path).\(member.name)", type: "case"))
                add(member.shape, at: "\(path).\(member.name)", depth - 1)
            }
        case .tuple(let shapes):
            for (index, one) in shapes.enumerated() { add(one, at: "\(path)[\(index)]", depth - 1) }
        case .any, .null, .bool, .number, .text, .cases: break
        }
    }

    /// What decodes from a value, in Swift's words.
    static func text(of shape: JSONShape) -> String {
        switch shape {
        case .any: "any value"
        case .null: "null"
        case .bool: "Bool"
        case .number(let type): type.rawValue
        case .text(let type): type.rawValue
        case .cases(let cases, _): cases.map { $0.string ?? $0.text }.joined(separator: " | ")
        case .array(let element): "[\(text(of: element))]"
        case .tuple(let shapes): "(\(shapes.map { text(of: $0) }.joined(separator: ", ")))"
        case .map(let value, _): "[String: \(text(of: value))]"
        case .object: "object"
        case .choice: "one case"
        case .reference(let name): name
        case .union(let shapes):
            shapes.filter { $0 != .null }.map { text(of: $0) }.joined(separator: " or ")
                + (shapes.contains(.null) ? "?" : "")
        }
    }
}
