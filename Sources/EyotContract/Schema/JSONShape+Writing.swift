/// Writes shapes as JSON Schema (draft 2020-12) with one more keyword: `swift` names a type for which JSON Schema has
/// no keyword.
extension JSONShape {
    /// The shape as a JSON Schema.
    public var json: JSONValue { .object(JSONObject(words)) }

    private var words: [(String, JSONValue)] {
        switch self {
        case .any: []
        case .null: [("type", "null")]
        case .bool: [("type", "boolean")]
        case .number(let type): type.words
        case .text(let type): type.words
        case .cases(let cases, let number):
            [("type", number == nil ? "string" : "integer"), ("enum", .array(cases))] + swift(number)
        case .array(let element): [("type", "array"), ("items", element.json)]
        case .tuple(let elements):
            Self.tupleWords(elements)
        case .map(let values, let keys):
            [("type", "object"), ("additionalProperties", values.json)] + keys.words
        case .object(let object): object.words
        case .choice(let choices): [("oneOf", .array(choices.map { ObjectShape([$0]).json }))]
        case .union(let shapes): Self.words(ofUnion: shapes)
        case .reference(let name): [("$ref", .string(Self.referencePrefix + name))]
        }
    }

    static func tupleWords(_ elements: [JSONShape]) -> [(String, JSONValue)] {
        [("type", "array"), ("prefixItems", .array(elements.map(\.json))), ("minItems", .integer(elements.count))]
    }

    static let referencePrefix = "#/$defs/"

    private func swift(_ type: NumberType?) -> [(String, JSONValue)] {
        guard let type, type != .int else { return [] }
        return [("swift", .string(type.rawValue))]
    }

    /// Writes an optional of a shape with one `type` as two types, and any other union as `anyOf`.
    private static func words(ofUnion shapes: [JSONShape]) -> [(String, JSONValue)] {
        let others = shapes.filter { $0 != .null }
        if others.count == 1, others.count < shapes.count, let only = others.first, !only.hasCases,
            var words = Optional(only.words), let index = words.firstIndex(where: { $0.0 == "type" })
        {
            words[index].1 = [words[index].1, "null"]
            return words
        }
        return [("anyOf", .array(shapes.map(\.json)))]
    }

    /// Whether the shape has an `enum`. With two types, `null` would have to be among its values.
    private var hasCases: Bool {
        if case .cases = self { true } else { false }
    }
}

extension JSONShape.NumberType {
    var words: [(String, JSONValue)] {
        switch self {
        case .double: [("type", "number")]
        case .float, .decimal, .date: [("type", "number"), ("swift", .string(rawValue))]
        case .int: [("type", "integer")]
        default:
            [
                ("type", "integer"), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
                ("swift", .string(rawValue)),
            ]
        }
    }

    /// The smallest and the largest whole number of the type.
    private var range: (lowerBound: String, upperBound: String) {
        func range<Number: FixedWidthInteger>(of type: Number.Type) -> (String, String) {
            (String(type.min), String(type.max))
        }
        return switch self {
        case .int8: range(of: Int8.self)
        case .int16: range(of: Int16.self)
        case .int32: range(of: Int32.self)
        case .int, .int64, .float, .double, .decimal, .date: range(of: Int64.self)
        case .uint8: range(of: UInt8.self)
        case .uint16: range(of: UInt16.self)
        case .uint32: range(of: UInt32.self)
        case .uint, .uint64: range(of: UInt64.self)
        }
    }
}

extension JSONShape.TextType {
    var words: [(String, JSONValue)] {
        switch self {
        case .string: [("type", "string")]
        case .url, .data: [("type", "string"), ("swift", .string(rawValue))]
        case .uuid: [("type", "string"), ("format", "uuid"), ("swift", .string(rawValue))]
        }
    }
}

extension JSONShape.KeyType {
    fileprivate var words: [(String, JSONValue)] {
        switch self {
        case .string: []
        case .integer: [("propertyNames", ["pattern": .string(Self.integerPattern)])]
        case .cases(let names): [("propertyNames", ["enum": .array(names.map(JSONValue.string))])]
        }
    }

    static let integerPattern = "^-?[0-9]+$"
}

extension ObjectShape {
    fileprivate var json: JSONValue { .object(JSONObject(words)) }

    fileprivate var words: [(String, JSONValue)] {
        var words: [(String, JSONValue)] = [
            ("type", "object"), ("properties", .object(JSONObject(members.map { ($0.name, $0.shape.json) }))),
            ("required", .array(members.filter(\.isRequired).map { .string($0.name) })),
        ]
        if !allowsOthers { words.append(("additionalProperties", false)) }
        return words
    }
}

extension ActivitySchema {
    static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The schema as it is kept in a file: an object with `attributes` and `contentState`, each a JSON Schema.
    public var json: JSONValue {
        var object = JSONObject([
            ("$schema", .string(Self.dialect)), ("title", .string(type)), ("attributes", attributes.json),
            ("contentState", contentState.json),
        ])
        if !types.isEmpty {
            object["$defs"] = .object(JSONObject(types.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
        return .object(object)
    }
}
