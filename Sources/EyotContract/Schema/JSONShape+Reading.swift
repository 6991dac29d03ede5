/// Reads shapes from JSON Schema: from files of this package, and from files written by hand with the same keywords.
///
/// Keywords that only explain are ignored. Any other keyword is refused, so that no constraint seems checked that is
/// not.
extension JSONShape {
    /// Reads a JSON Schema.
    ///
    /// - Throws: ``JSONFieldError`` that names the keyword which is not supported.
    public init(json: JSONValue, at path: String = "") throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        for word in Self.explanations { _ = fields.value(word) }
        self = try Self.shape(&fields)
        try fields.finish()
    }

    /// Keywords that do not constrain values.
    private static let explanations = ["$schema", "$id", "$comment", "title", "description", "default", "examples"]

    /// The values of `type`.
    private enum Kind: String, CaseIterable {
        case object, array, string, number, integer, boolean, null
    }

    private static func shape(_ fields: inout JSONFields) throws(JSONFieldError) -> JSONShape {
        if let reference = try fields.string("$ref") {
            guard reference.hasPrefix(referencePrefix) else {
                throw fields.invalid("$ref", "must begin with \(referencePrefix)")
            }
            return .reference(String(reference.dropFirst(referencePrefix.count)))
        }
        if let shapes = try fields.shapes("anyOf") { return .union(shapes) }
        if let choices = try fields.shapes("oneOf") { return try choice(of: choices, fields) }
        let kinds = try kinds(&fields)
        let values = try fields.array("enum")
        let name = try fields.string("swift")
        var shapes: [JSONShape] = []
        for kind in kinds { shapes.append(try shape(kind, values, name, &fields)) }
        return shapes.count == 1 ? shapes[0] : shapes.isEmpty ? try untyped(values, &fields) : .union(shapes)
    }

    /// Reads one name, or several of which one must fit.
    private static func kinds(_ fields: inout JSONFields) throws(JSONFieldError) -> [Kind] {
        guard let value = fields.value("type") else { return [] }
        var kinds: [Kind] = []
        for name in value.array ?? [value] {
            guard let kind = name.string.flatMap(Kind.init(rawValue:)) else {
                let all = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("type", "must be one of \(all), or several of them")
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// Reads a schema without `type`: the other keywords decide, and without those any value fits.
    private static func untyped(_ values: [JSONValue]?, _ fields: inout JSONFields) throws(JSONFieldError) -> JSONShape
    {
        guard let values else {
            if fields.has("items") || fields.has("prefixItems") { return try array(&fields) }
            let isObject = ["properties", "required", "additionalProperties", "propertyNames"].contains(
                where: fields.has)
            return isObject ? try object(&fields) : .any
        }
        let texts = values.filter { $0.string != nil }
        let numbers = values.filter { $0.integer != nil }
        guard texts.count + numbers.count == values.count else {
            throw fields.invalid("enum", "may have strings and whole numbers")
        }
        let shapes: [JSONShape] =
            (texts.isEmpty ? [] : [.cases(texts, of: nil)]) + (numbers.isEmpty ? [] : [.cases(numbers, of: .int)])
        return shapes.count == 1 ? shapes[0] : .union(shapes)
    }

    private static func shape(
        _ kind: Kind, _ values: [JSONValue]?, _ name: String?, _ fields: inout JSONFields
    ) throws(JSONFieldError) -> JSONShape {
        switch kind {
        case .null: return .null
        case .boolean: return .bool
        case .string:
            if let values { return .cases(values.filter { $0.string != nil }, of: nil) }
            let type = try named(name, orElse: TextType.string, fields)
            try fields.expect(type.words)
            return .text(type)
        case .integer, .number:
            let type = try named(name, orElse: kind == .integer ? NumberType.int : .double, fields)
            try fields.expect(type.words)
            return values.map { .cases($0.filter { $0.integer != nil }, of: type) } ?? .number(type)
        case .array: return try array(&fields)
        case .object: return try object(&fields)
        }
    }

    private static func named<Named: RawRepresentable & CaseIterable>(
        _ name: String?, orElse type: Named, _ fields: JSONFields
    ) throws(JSONFieldError) -> Named where Named.RawValue == String {
        guard let name else { return type }
        guard let named = Named(rawValue: name) else {
            throw fields.invalid("swift", "must be one of \(Named.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return named
    }

    private static func array(_ fields: inout JSONFields) throws(JSONFieldError) -> JSONShape {
        if let elements = try fields.shapes("prefixItems") {
            try fields.expect(tupleWords(elements))
            return .tuple(elements)
        }
        return .array(
            try fields.value("items").map { value throws(JSONFieldError) in
                try JSONShape(json: value, at: fields.path(of: "items"))
            } ?? .any)
    }

    private static func object(_ fields: inout JSONFields) throws(JSONFieldError) -> JSONShape {
        let keys = try fields.keys("propertyNames")
        let others = fields.value("additionalProperties")
        if let others, others.bool == nil {
            return .map(try JSONShape(json: others, at: fields.path(of: "additionalProperties")), keys: keys)
        }
        let required = try fields.strings("required") ?? []
        var object = ObjectShape(allowsOthers: others?.bool ?? true)
        for member in try fields.object("properties")?.object?.members ?? [] {
            let shape = try JSONShape(json: member.value, at: "\(fields.path(of: "properties")).\(member.name)")
            object.members.append(.init(member.name, shape, isRequired: required.contains(member.name)))
        }
        for name in required where object.member(name) == nil { object.members.append(.init(name, .any)) }
        return .object(object)
    }

    /// Reads `oneOf`. Only the form of a Swift enum is supported.
    private static func choice(of shapes: [JSONShape], _ fields: JSONFields) throws(JSONFieldError) -> JSONShape {
        var choices: [ObjectShape.Member] = []
        for case .object(let object) in shapes where object.members.count == 1 { choices += object.members }
        guard choices.count == shapes.count, choices.allSatisfy(\.isRequired) else {
            throw fields.invalid("oneOf", "must have objects with one required member each")
        }
        return .choice(choices)
    }
}

extension JSONFields {
    fileprivate mutating func shapes(_ name: String) throws(JSONFieldError) -> [JSONShape]? {
        guard let values = try array(name) else { return nil }
        var shapes: [JSONShape] = []
        for (index, value) in values.enumerated() {
            shapes.append(try JSONShape(json: value, at: "\(path(of: name))[\(index)]"))
        }
        return shapes
    }

    /// Reads the keywords that follow from the type. Each may repeat the value that the type implies, and no other.
    fileprivate mutating func expect(_ words: [(String, JSONValue)]) throws(JSONFieldError) {
        for (name, expected) in words where !["type", "prefixItems"].contains(name) {
            if let value = value(name), value != expected {
                throw invalid(name, "must be \(expected.text) for this type")
            }
        }
    }

    fileprivate mutating func keys(_ name: String) throws(JSONFieldError) -> JSONShape.KeyType {
        guard var names = try fields(name) else { return .string }
        if let cases = try names.strings("enum") {
            try names.finish()
            return .cases(cases)
        }
        guard try names.string("pattern") == JSONShape.KeyType.integerPattern else {
            throw names.invalid("pattern", "must be \(JSONShape.KeyType.integerPattern)")
        }
        try names.finish()
        return .integer
    }
}

extension ActivitySchema {
    /// Reads a schema from its file.
    ///
    /// - Parameter type: the name of the attributes type; nil takes the file's `title`.
    /// - Throws: ``JSONFieldError`` that names the place.
    public init(json: JSONValue, type: String? = nil) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        _ = fields.value("$schema")
        let title = try fields.string("title")
        self.type = try fields.required("title", type ?? title)
        attributes = try JSONShape(
            json: fields.required("attributes", fields.value("attributes")), at: "attributes")
        contentState = try JSONShape(
            json: fields.required("contentState", fields.value("contentState")), at: "contentState")
        types = [:]
        for member in try fields.object("$defs")?.object?.members ?? [] {
            types[member.name] = try JSONShape(json: member.value, at: "$defs.\(member.name)")
        }
        try fields.finish()
        guard types.count <= Self.typeLimit else {
            throw JSONFieldError(path: "$defs", .invalid("has \(types.count) types; \(Self.typeLimit) at most"))
        }
        try checkReferences()
    }

    /// The most named types in one schema.
    public static let typeLimit = 500

    /// Throws if a name is undefined or refers only to itself. No value can be checked against such a name.
    private func checkReferences() throws(JSONFieldError) {
        var open = [attributes, contentState] + types.values
        while let shape = open.popLast() {
            if case .reference(let name) = shape, types[name] == nil {
                throw JSONFieldError(path: "$defs.\(name)", .missing)
            }
            open += shape.parts
        }
        var grounded: Set<String> = []
        for name in types.keys.sorted() where !isGrounded(name, above: [], &grounded) {
            throw JSONFieldError(path: "$defs.\(name)", .invalid("is nothing but itself"))
        }
    }

    private func isGrounded(_ name: String, above: Set<String>, _ grounded: inout Set<String>) -> Bool {
        if grounded.contains(name) { return true }
        guard !above.contains(name), let shape = types[name] else { return false }
        for other in shape.directReferences where !isGrounded(other, above: above.union([name]), &grounded) {
            return false
        }
        grounded.insert(name)
        return true
    }
}

extension JSONShape {
    /// The names that a value of the shape must fit as a whole, not with a part.
    fileprivate var directReferences: [String] {
        switch self {
        case .reference(let name): [name]
        case .union(let shapes): shapes.flatMap(\.directReferences)
        default: []
        }
    }
}
