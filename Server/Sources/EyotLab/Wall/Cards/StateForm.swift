import EyotContract

/// The fields of a form for values of a shape: one for each leaf that a person can type.
struct StateForm: Sendable, Hashable {
    /// The control that a field needs.
    enum Kind: String, Sendable {
        case integer
        case number
        case text
        case bool
        case choice
        /// A list, a union or a map, written as JSON.
        case json
    }

    /// One field.
    struct Field: Sendable, Hashable {
        /// The names of the members from the outermost to the value.
        var path: [String]
        var kind: Kind
        var isRequired: Bool
        /// The values of a choice.
        var options: [JSONValue] = []
    }

    /// How deep a form goes into objects. Deeper values are written as JSON.
    static let depth = 4
    /// How many fields a form has. Members beyond that are written in the JSON beside the form.
    static let fieldLimit = 40

    private(set) var fields: [Field] = []

    /// Makes the fields of an object's shape.
    init(_ shape: JSONShape, types: [String: JSONShape]) {
        add(shape, at: [], isRequired: true, types)
        if fields.count > Self.fieldLimit { fields.removeLast(fields.count - Self.fieldLimit) }
    }

    private mutating func add(_ shape: JSONShape, at path: [String], isRequired: Bool, _ types: [String: JSONShape]) {
        switch shape {
        case .object(let object) where path.count < Self.depth:
            for member in object.members {
                add(member.shape, at: path + [member.name], isRequired: isRequired && member.isRequired, types)
            }
        case .reference(let name) where path.count < Self.depth && types[name] != nil:
            // A name that leads to itself ends at the depth, because only objects go deeper.
            add(types[name] ?? .any, at: path, isRequired: isRequired, types.filter { $0.key != name })
        case .union(let shapes) where path.isEmpty:
            // A type that decodes from several objects: each of their members may be there.
            for shape in shapes { add(shape, at: path, isRequired: false, types) }
        case .union(let shapes):
            let values = shapes.filter { $0 != .null }
            if values.count == 1, let value = values.first {
                add(value, at: path, isRequired: isRequired && values.count == shapes.count, types)
            } else {
                append(path, .json, isRequired && !shape.isOptional)
            }
        case .bool: append(path, .bool, isRequired)
        case .number(.float), .number(.double), .number(.decimal), .number(.date): append(path, .number, isRequired)
        case .number: append(path, .integer, isRequired)
        case .text: append(path, .text, isRequired)
        case .cases(let options, _): append(path, .choice, isRequired, options)
        case .null: break
        default: append(path, .json, isRequired)
        }
    }

    private mutating func append(_ path: [String], _ kind: Kind, _ isRequired: Bool, _ options: [JSONValue] = []) {
        guard !path.isEmpty, !fields.contains(where: { $0.path == path }) else { return }
        fields.append(Field(path: path, kind: kind, isRequired: isRequired, options: options))
    }
}

extension StateForm {
    /// The fields for the page.
    var json: JSONValue {
        .array(
            fields.map { field in
                [
                    "path": .array(field.path.map(JSONValue.string)), "kind": .string(field.kind.rawValue),
                    "label": .string(Words.of(field.path.joined(separator: " "))),
                    "required": .bool(field.isRequired), "options": .array(field.options),
                ]
            })
    }
}
