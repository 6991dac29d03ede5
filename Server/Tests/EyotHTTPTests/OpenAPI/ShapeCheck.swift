import EyotContract
import Testing

/// Holds values against the shapes of the description: as much of JSON Schema as that uses.
struct ShapeCheck: Sendable {
    let document: JSONValue

    /// What is wrong with a value, each with its place.
    func faults(of value: JSONValue, against shape: JSONValue, at path: String = "") -> [String] {
        guard let words = shape.object else { return ["\(path): the shape is no object"] }
        var faults: [String] = []
        for word in words.members {
            switch word.name {
            case "$ref":
                guard let named = named(word.value.string ?? "") else {
                    return ["\(path): there is no \(word.value.text)"]
                }
                faults += self.faults(of: value, against: named, at: path)
            case "type":
                if !Self.isKind(value, word.value) { faults.append("\(path): \(value.text) is no \(word.value.text)") }
            case "const": if value != word.value { faults.append("\(path): not \(word.value.text)") }
            case "enum": if word.value.array?.contains(value) != true { faults.append("\(path): \(value.text)") }
            case "anyOf":
                let each = (word.value.array ?? []).map { self.faults(of: value, against: $0, at: path) }
                if !each.contains(where: \.isEmpty) { faults.append("\(path): none of \(each)") }
            case "properties", "additionalProperties": break
            case "required":
                let missing = (word.value.array ?? []).compactMap(\.string).filter { value.object?[$0] == nil }
                if value.object != nil { faults += missing.map { "\(path).\($0) is missing" } }
            case "items":
                for (index, element) in (value.array ?? []).enumerated() {
                    faults += self.faults(of: element, against: word.value, at: "\(path)[\(index)]")
                }
            case "minimum":
                if value.double ?? .infinity < word.value.double ?? 0 { faults.append("\(path): too small") }
            case "maximum":
                if value.double ?? -.infinity > word.value.double ?? 0 { faults.append("\(path): too large") }
            case "minLength": if value.string?.isEmpty == true { faults.append("\(path): empty") }
            case "maxItems": if value.array?.count ?? 0 > word.value.integer ?? 0 { faults.append("\(path): too many") }
            case "format", "examples", "description", "minProperties", "maxProperties": break
            default: faults.append("\(path): this check does not know \(word.name)")
            }
        }
        return faults + members(of: value, against: words, at: path)
    }

    private func members(of value: JSONValue, against words: JSONObject, at path: String) -> [String] {
        let properties = words["properties"]?.object
        return (value.object?.members ?? []).flatMap { member -> [String] in
            let place = "\(path).\(member.name)"
            if let shape = properties?[member.name] { return faults(of: member.value, against: shape, at: place) }
            switch words["additionalProperties"] {
            case nil, .bool(true): return []
            case .bool(false): return ["\(place) is not described"]
            case let shape?: return faults(of: member.value, against: shape, at: place)
            }
        }
    }

    private static func isKind(_ value: JSONValue, _ kind: JSONValue) -> Bool {
        if let kinds = kind.array { return kinds.contains { isKind(value, $0) } }
        return switch (kind.string, value) {
        case ("string", .string), ("boolean", .bool), ("array", .array), ("object", .object), ("null", .null),
            ("number", .number):
            true
        case ("integer", .number): value.integer != nil
        default: false
        }
    }

    /// What a reference in the document leads to.
    func named(_ reference: String) -> JSONValue? {
        reference.split(separator: "/").dropFirst().reduce(document as JSONValue?) { $0?.object?[String($1)] }
    }

    /// A shape without its reference.
    func resolved(_ shape: JSONValue) -> JSONValue {
        shape.object?["$ref"]?.string.flatMap(named).map(resolved) ?? shape
    }
}
