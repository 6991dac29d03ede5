/// A check of values against shapes with the same result as `JSONDecoder`.
struct ShapeCheck {
    let types: [String: JSONShape]
    /// The number of shapes that may still be visited. With nested unions even a small value could take hours.
    private var budget = 100_000

    init(types: [String: JSONShape]) { self.types = types }

    /// The place of a part inside a value.
    struct Path {
        static let attributes = Path(text: "attributes")
        static let contentState = Path(text: "content-state")

        let text: String

        func member(_ name: String) -> Path { Path(text: "\(text).\(name)") }
        func element(_ index: Int) -> Path { Path(text: "\(text)[\(index)]") }
        func mismatch(_ reason: String) -> SchemaMismatch { SchemaMismatch(path: text, reason: reason) }
    }

    /// Returns the first mismatch in the order in which a type reads its members; nil if the value fits.
    mutating func mismatch(of value: JSONValue, _ shape: JSONShape, at path: Path) -> SchemaMismatch? {
        budget -= 1
        guard budget > 0 else { return path.mismatch("is too much to be held against its schema") }
        return switch shape {
        case .any: nil
        case .null: value == .null ? nil : wrongKind(value, "null", path)
        case .bool: value.bool == nil ? wrongKind(value, "true or false", path) : nil
        case .number(let type): mismatch(of: value, type, at: path)
        case .text(let type): mismatch(of: value, type, at: path)
        case .cases(let cases, let number): mismatch(of: value, cases, number, at: path)
        case .array(let element): mismatch(of: value, elements: element, at: path)
        case .tuple(let elements): mismatch(of: value, tuple: elements, at: path)
        case .map(let values, let keys): mismatch(of: value, map: values, keys, at: path)
        case .object(let object): mismatch(of: value, object, at: path)
        case .choice(let choices): mismatch(of: value, choices, at: path)
        case .union(let shapes): mismatch(of: value, anyOf: shapes, at: path)
        case .reference(let name):
            mismatch(of: value, named: name, at: path)
        }
    }

    private mutating func mismatch(of value: JSONValue, named name: String, at path: Path) -> SchemaMismatch? {
        guard let shape = types[name] else { return path.mismatch("\(name) is not in the schema") }
        return mismatch(of: value, shape, at: path)
    }

    private func wrongKind(_ value: JSONValue, _ expected: String, _ path: Path) -> SchemaMismatch {
        path.mismatch("expected \(expected), not \(value.kind)")
    }

    // MARK: Leaves

    private func mismatch(of value: JSONValue, _ type: JSONShape.NumberType, at path: Path) -> SchemaMismatch? {
        guard case .number(let literal) = value else {
            return wrongKind(value, type == .double ? "a number" : "a number (\(type.rawValue))", path)
        }
        return type.decodes(literal) ? nil : path.mismatch("\(literal.prefix(40)) does not decode as \(type.rawValue)")
    }

    private func mismatch(of value: JSONValue, _ type: JSONShape.TextType, at path: Path) -> SchemaMismatch? {
        guard let text = value.string else {
            return wrongKind(value, type == .string ? "a string" : "a string (\(type.rawValue))", path)
        }
        return type.decodes(text) ? nil : path.mismatch("\(quoted(text)) does not decode as \(type.rawValue)")
    }

    private func mismatch(
        of value: JSONValue, _ cases: [JSONValue], _ number: JSONShape.NumberType?, at path: Path
    ) -> SchemaMismatch? {
        if let wrong = number.map({ mismatch(of: value, $0, at: path) }) ?? mismatch(of: value, .string, at: path) {
            return wrong
        }
        let isCase = cases.contains { $0 == value || ($0.integer != nil && $0.integer == value.integer) }
        if isCase { return nil }
        let written = value.string.map(quoted) ?? value.text
        return path.mismatch("\(written) is none of \(cases.prefix(20).map(\.text).joined(separator: ", "))")
    }

    private func quoted(_ text: String) -> String { JSONValue.string(String(text.prefix(40))).text }

    // MARK: Containers

    private mutating func mismatch(of value: JSONValue, elements shape: JSONShape, at path: Path) -> SchemaMismatch? {
        guard let elements = value.array else { return wrongKind(value, "an array", path) }
        for (index, element) in elements.enumerated() {
            if let wrong = mismatch(of: element, shape, at: path.element(index)) { return wrong }
        }
        return nil
    }

    private mutating func mismatch(of value: JSONValue, tuple shapes: [JSONShape], at path: Path) -> SchemaMismatch? {
        guard let elements = value.array else { return wrongKind(value, "an array", path) }
        for (index, shape) in shapes.enumerated() {
            guard index < elements.count else { return path.mismatch("needs \(shapes.count) elements") }
            if let wrong = mismatch(of: elements[index], shape, at: path.element(index)) { return wrong }
        }
        return nil
    }

    private mutating func mismatch(
        of value: JSONValue, map shape: JSONShape, _ keys: JSONShape.KeyType, at path: Path
    ) -> SchemaMismatch? {
        guard let object = value.object else { return wrongKind(value, "an object", path) }
        for member in object.members {
            guard keys.decodes(member.name) else { return path.mismatch("\(quoted(member.name)) is no key of it") }
            if let wrong = mismatch(of: member.value, shape, at: path.member(member.name)) { return wrong }
        }
        return nil
    }

    private mutating func mismatch(of value: JSONValue, _ shape: ObjectShape, at path: Path) -> SchemaMismatch? {
        guard let object = value.object else { return wrongKind(value, "an object", path) }
        for member in shape.members {
            if let found = object[member.name] {
                if let wrong = mismatch(of: found, member.shape, at: path.member(member.name)) { return wrong }
            } else if member.isRequired {
                return path.member(member.name).mismatch(SchemaMismatch.missing)
            }
        }
        guard !shape.allowsOthers, let other = object.members.first(where: { shape.member($0.name) == nil }) else {
            return nil
        }
        return path.member(other.name).mismatch("is not in the schema")
    }

    private mutating func mismatch(of value: JSONValue, _ choices: [ObjectShape.Member], at path: Path)
        -> SchemaMismatch?
    {
        guard let object = value.object else { return wrongKind(value, "an object", path) }
        let known = choices.filter { object[$0.name] != nil }
        guard known.count == 1, let choice = known.first, let found = object[choice.name] else {
            let names = choices.prefix(20).map(\.name).joined(separator: ", ")
            return path.mismatch("needs exactly one of \(names)")
        }
        return mismatch(of: found, choice.shape, at: path.member(choice.name))
    }

    /// Returns the mismatch of the first shape if none fits. The second shape of an optional is `null`.
    private mutating func mismatch(of value: JSONValue, anyOf shapes: [JSONShape], at path: Path) -> SchemaMismatch? {
        var first: SchemaMismatch?
        for shape in shapes {
            guard let wrong = mismatch(of: value, shape, at: path) else { return nil }
            first = first ?? wrong
        }
        return first
    }
}
