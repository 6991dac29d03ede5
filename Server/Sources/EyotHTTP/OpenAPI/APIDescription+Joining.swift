import EyotContract

extension APIDescription {
    /// Returns the shape of a join secret, with further members.
    static func joinSecret(_ more: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object([
            "name": Shape.text.meaning("Name of the activity."),
            "generation": Shape.integer.meaning("Generation of the activity. The secret goes with it."),
            "hint": Shape.text.meaning("First characters of the secret."),
            "madeAt": Shape.moment.meaning("When the secret was made, RFC 3339."),
        ])
        for (name, value) in more {
            guard var object = shape.object, var properties = object["properties"]?.object else { continue }
            properties[name] = value
            object["properties"] = .object(properties)
            object["required"] = .array((object["required"]?.array ?? []) + [.string(name)])
            shape = .object(object)
        }
        return shape
    }
}
