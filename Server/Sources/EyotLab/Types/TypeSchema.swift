import EyotContract
import PhoneSimulator

/// What the values of a type look like: an object with the members `attributes` and `contentState`, each a JSON Schema in
/// a few of its words.
///
/// Understood are `type`, `properties`, `required`, `items`, `enum` and `additionalProperties` as true or false. Words
/// that only explain are passed over, and any other is refused, so that nothing seems checked that is not.
public struct TypeSchema: Sendable {
    let attributes: JSONShape
    let contentState: JSONShape

    /// Reads a schema. Throws a ``EyotContract/JSONFieldError`` that names the place.
    public init(_ json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        attributes = try JSONShape(fields.required("attributes", fields.value("attributes")), at: "attributes")
        contentState = try JSONShape(fields.required("contentState", fields.value("contentState")), at: "contentState")
        try fields.finish()
    }

    func check(type: String) -> PayloadCheck {
        PayloadCheck(
            type: type, attributes: { [attributes] in attributes.problem(with: $0, at: "") },
            contentState: { [contentState] in contentState.problem(with: $0, at: "") })
    }
}

/// One JSON Schema, as far as ``TypeSchema`` understands it.
struct JSONShape: Sendable {
    /// The values of `type`.
    enum Kind: String, CaseIterable, Sendable {
        case object, array, string, number, integer, boolean, null
    }

    private var kinds: [Kind]?
    private var properties: [String: JSONShape] = [:]
    private var required: [String] = []
    private var allowsOthers = true
    private var items: [JSONShape] = []
    private var values: [JSONValue]?

    /// Words that say nothing about which values are valid.
    private static let explanations = ["$schema", "$id", "$comment", "title", "description", "default", "examples"]

    init(_ json: JSONValue, at path: String) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        for word in Self.explanations { _ = fields.value(word) }
        kinds = try Self.kinds(&fields)
        values = try fields.array("enum")
        required = try fields.strings("required") ?? []
        allowsOthers = try fields.bool("additionalProperties") ?? true
        for member in try fields.object("properties")?.object?.members ?? [] {
            properties[member.name] = try JSONShape(
                member.value, at: "\(fields.path(of: "properties")).\(member.name)")
        }
        if let items = fields.value("items") { self.items = [try JSONShape(items, at: fields.path(of: "items"))] }
        try fields.finish()
    }

    /// One name, or several of which one must fit.
    private static func kinds(_ fields: inout JSONFields) throws(JSONFieldError) -> [Kind]? {
        guard let value = fields.value("type") else { return nil }
        let names = value.array ?? [value]
        var kinds: [Kind] = []
        for name in names {
            guard let kind = name.string.flatMap(Kind.init(rawValue:)) else {
                let all = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("type", "must be one of \(all), or several of them")
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// What is wrong with a value, in words that name the place; nil where it fits.
    func problem(with value: JSONValue, at path: String) -> String? {
        let place = path.isEmpty ? "the value" : path
        if let kinds, !kinds.contains(where: { Self.fits(value, $0) }) {
            return "\(place) must be \(kinds.map(\.rawValue).joined(separator: " or ")), not \(value.kind)"
        }
        if let values, !values.contains(value) { return "\(place) is not one of the allowed values" }
        if let object = value.object { return problem(with: object, at: path) }
        guard let elements = value.array, let shape = items.first else { return nil }
        for (index, element) in elements.enumerated() {
            if let problem = shape.problem(with: element, at: "\(path)[\(index)]") { return problem }
        }
        return nil
    }

    private func problem(with object: JSONObject, at path: String) -> String? {
        func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        for name in required where object[name] == nil { return "\(place(name)): is missing" }
        for member in object.members {
            guard let shape = properties[member.name] else {
                if allowsOthers { continue }
                return "\(place(member.name)) is not in the schema"
            }
            if let problem = shape.problem(with: member.value, at: place(member.name)) { return problem }
        }
        return nil
    }

    private static func fits(_ value: JSONValue, _ kind: Kind) -> Bool {
        switch kind {
        case .object: value.object != nil
        case .array: value.array != nil
        case .string: value.string != nil
        case .number: value.double != nil
        case .integer: value.integer != nil
        case .boolean: value.bool != nil
        case .null: value == .null
        }
    }
}
