import EyotContract
import EyotHTTP

extension [Route] {
    /// The routes with notes for the description of the API, by path.
    func noted(by notes: [String: OperationNote]) -> [Route] {
        map { route in
            var route = route
            route.note = notes[route.path]
            return route
        }
    }
}

/// Shapes that the notes of several vendors have.
enum VendorNotes {
    /// The shape of a member that is not read, so any value fits.
    static let unread: JSONValue = [:]
    static let texts = Shape.list(Shape.text)
    /// The shape of one text or several.
    static let oneOrMore = Shape.any(Shape.text, texts)
    /// Apple's priorities.
    static let priority: JSONValue = ["type": "integer", "enum": [5, 10]]
    /// A date with a zone.
    static let date: JSONValue = ["type": "string", "examples": ["2022-12-18T18:00:00Z"]]

    static func json(_ text: String) -> JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }

    /// Returns the shape of an object with exactly one of these members.
    static func oneOf(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var shape = Shape.object(members).object
        shape?["minProperties"] = 1
        shape?["maxProperties"] = 1
        return shape.map(JSONValue.object) ?? Shape.anyObject
    }
}
