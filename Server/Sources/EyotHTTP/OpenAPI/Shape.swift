import EyotContract

extension JSONValue {
    /// The shape with a sentence about what it means.
    func meaning(_ sentence: String) -> JSONValue {
        guard var object else { return self }
        object["description"] = .string(sentence)
        return .object(object)
    }
}

/// Builders for JSON Schema, which describes bodies.
package enum Shape {
    package static let text: JSONValue = ["type": "string"]
    package static let integer: JSONValue = ["type": "integer"]
    package static let number: JSONValue = ["type": "number"]
    package static let flag: JSONValue = ["type": "boolean"]
    package static let moment: JSONValue = ["type": "string", "format": "date-time"]
    /// An object with members of the caller's choice.
    package static let anyObject: JSONValue = ["type": "object"]

    /// Returns an object with these members and no others, unless it is open. A name that ends with `?` may be absent.
    ///
    /// - Parameter example: a text that a test checks against the shape. If the shape is a request's body, the test
    ///   also sends it.
    package static func object(
        _ members: KeyValuePairs<String, JSONValue>, isOpen: Bool = false, example: String? = nil
    ) -> JSONValue {
        var properties = JSONObject()
        var required: [JSONValue] = []
        for (name, shape) in members {
            let isOptional = name.hasSuffix("?")
            properties[isOptional ? String(name.dropLast()) : name] = shape
            if !isOptional { required.append(.string(name)) }
        }
        var object = JSONObject([("type", "object"), ("properties", .object(properties))])
        if !required.isEmpty { object["required"] = .array(required) }
        if !isOpen { object["additionalProperties"] = false }
        // A test checks that the example can be parsed.
        object["examples"] = example.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.map { .array([$0]) }
        return .object(object)
    }

    /// Returns an object with names of the caller's choice, or from a long list.
    package static func map(_ shape: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": shape] }

    package static func list(_ shape: JSONValue, atMost: Int? = nil) -> JSONValue {
        var object = JSONObject([("type", "array"), ("items", shape)])
        object["maxItems"] = atMost.map { .integer($0) }
        return .object(object)
    }

    /// Returns a string that is one of some words.
    package static func word(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map(JSONValue.string))]
    }

    package static func word(_ words: String...) -> JSONValue { word(words) }

    package static func any(_ shapes: JSONValue...) -> JSONValue { ["anyOf": .array(shapes)] }

    /// Returns a reference to a shape in `components.schemas`.
    package static func named(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    static func integer(_ range: ClosedRange<Int>) -> JSONValue {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// `next` in an answer that has pages.
    static let next = text.meaning("Value of `after` for the next page; absent at the end.")
    /// `next` in an answer that begins with the newest entry.
    static let nextOlder = text.meaning("Value of `before` for the next page; absent at the end.")

    /// Returns a list of a named shape.
    ///
    /// - Parameters:
    ///   - sentence: what the list has.
    ///   - next: the member `next` beside the list; nil if the list has no pages.
    static func page(
        _ member: String, of name: String, _ sentence: String, next: JSONValue? = Shape.next
    ) -> JSONValue {
        var properties = JSONObject([(member, list(named(name)).meaning(sentence))])
        properties["next"] = next
        return [
            "type": "object", "properties": .object(properties), "required": [.string(member)],
            "additionalProperties": false,
        ]
    }
}
