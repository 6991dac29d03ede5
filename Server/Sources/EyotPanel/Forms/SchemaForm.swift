import EyotContract

/// The fields of a form that make a JSON object, from the schema of a type. Without a schema it is one field for JSON.
///
/// A field is named like the member in the API: `contentState.homeScore`. So an error of the API finds its field.
struct SchemaForm {
    /// The kinds of fields.
    enum Kind: Equatable {
        case flag
        case number(JSONShape.NumberType)
        case text
        case words([JSONValue])
        case json
    }

    /// A member without members of its own, or one that is written as JSON.
    struct Leaf: Equatable {
        var path: [String]
        var kind: Kind
        /// Whether the member may be left out, or be null.
        var isOptional: Bool
        /// Whether the member must be there: null then stands for nothing.
        var isRequired: Bool
    }

    /// The most fields, and the deepest members with fields of their own.
    private static let (leafLimit, depthLimit) = (60, 3)

    /// The name of the whole object in the API.
    let root: String
    /// Nil if the whole object is one field.
    let leaves: [Leaf]?
    /// Checks the object as phones decode it; nil if there is no schema.
    private let schema: ActivitySchema?

    /// - Parameters:
    ///   - shape: nil if there is no schema.
    ///   - types: the named shapes of the schema.
    init(_ root: String, _ shape: JSONShape?, types: [String: JSONShape] = [:]) {
        self.root = root
        schema = shape.map { ActivitySchema(type: root, attributes: .any, contentState: $0, types: types) }
        let reader = LeafReader(types: types)
        let found = shape.flatMap { reader.leaves(of: $0, at: [], depth: Self.depthLimit) }
        leaves = found.flatMap { $0.count > Self.leafLimit ? nil : $0 }
    }

    /// The form of a type's attributes. The members that carry a card's name are no fields, because the server fills
    /// them in.
    init(attributesOf schema: ActivitySchema) {
        var shape = schema.attributes
        if case .object(var object) = shape {
            let names = [AttributesMember.activityName] + AttributesMember.vendorNames
            object.members.removeAll { names.contains($0.name) }
            shape = .object(object)
        }
        self.init("attributes", shape, types: schema.types)
    }

    /// What phones could not decode of an object, at the field that holds it.
    func mismatch(of object: JSONValue) -> FieldFaults? {
        guard let mismatch = schema?.mismatch(ofContentState: object) else { return nil }
        // The path begins with the payload's member.
        let path = root + mismatch.path.drop { $0 != "." && $0 != "[" }
        let names = leaves.map { $0.map(name) } ?? []
        let field = names.filter { path == $0 || path.hasPrefix("\($0).") || path.hasPrefix("\($0)[") }.max {
            $0.count < $1.count
        }
        return FieldFaults(byField: [field ?? root: mismatch.reason])
    }

    /// The name of a leaf's field.
    func name(of leaf: Leaf) -> String { ([root] + leaf.path).joined(separator: ".") }
}

/// Finds the fields of a shape.
private struct LeafReader {
    let types: [String: JSONShape]

    /// The leaves of an object; nil if it is none, or if it lies too deep.
    func leaves(of shape: JSONShape, at path: [String], depth: Int) -> [SchemaForm.Leaf]? {
        guard depth > 0, case .object(let object) = resolved(shape).shape else { return nil }
        return object.members.flatMap { member -> [SchemaForm.Leaf] in
            let (inner, isOptional) = resolved(member.shape)
            let here = path + [member.name]
            if !isOptional, member.isRequired, let below = leaves(of: inner, at: here, depth: depth - 1) {
                return below
            }
            return [
                SchemaForm.Leaf(
                    path: here, kind: kind(of: inner), isOptional: isOptional || !member.isRequired,
                    isRequired: member.isRequired)
            ]
        }
    }

    /// The shape without names and without null, and whether null fits.
    private func resolved(_ shape: JSONShape, steps: Int = 8) -> (shape: JSONShape, isOptional: Bool) {
        guard steps > 0 else { return (shape, false) }
        switch shape {
        case .reference(let name):
            guard let other = types[name] else { return (.any, true) }
            return resolved(other, steps: steps - 1)
        case .union(let shapes):
            let others = shapes.filter { $0 != .null }
            guard others.count == 1, let only = others.first else { return (shape, shape.isOptional) }
            let inner = resolved(only, steps: steps - 1)
            return (inner.shape, inner.isOptional || others.count < shapes.count)
        default: return (shape, shape.isOptional)
        }
    }

    private func kind(of shape: JSONShape) -> SchemaForm.Kind {
        switch shape {
        case .bool: .flag
        case .number(let type): .number(type)
        case .text: .text
        case .cases(let cases, _): .words(cases)
        default: .json
        }
    }
}
