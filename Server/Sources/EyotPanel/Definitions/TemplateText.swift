import EyotContract

/// A definition's JSON with its places marked.
struct TemplateText {
    struct Part {
        var text: String
        var isPlace: Bool
    }

    let parts: [Part]

    init(_ json: JSONValue) {
        var parts: [Part] = []
        var rest = Shown.json(json)[...]
        while let place = rest.firstMatch(of: Self.place) {
            parts.append(Part(text: String(rest[..<place.range.lowerBound]), isPlace: false))
            parts.append(Part(text: String(place.output), isPlace: true))
            rest = rest[place.range.upperBound...]
        }
        parts.append(Part(text: String(rest), isPlace: false))
        self.parts = parts
    }

    /// The paths of the values that have a place with this name.
    static func uses(of name: String, in json: JSONValue, at path: String = "") -> [String] {
        switch json {
        case .string(let text): text.contains("{{\(name)}}") ? [path] : []
        case .array(let elements):
            elements.enumerated().flatMap { uses(of: name, in: $1, at: "\(path)[\($0)]") }
        case .object(let object):
            object.members.flatMap { uses(of: name, in: $0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .null, .bool, .number: []
        }
    }

    private static var place: Regex<Substring> { /\{\{[A-Za-z_][A-Za-z0-9_]*\}\}/ }
}
