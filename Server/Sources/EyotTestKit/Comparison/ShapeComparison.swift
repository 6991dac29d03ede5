import EyotContract

/// Compares two shapes of JSON for the clients of the older one. A shape of calls must not become narrower, and a shape
/// of answers must not lose members or get other types.
struct ShapeComparison {
    let old: JSONValue
    let new: JSONValue
    let direction: ClientComparison.Direction
    /// The pairs of named shapes that are being compared, or have been.
    private var seen: Set<String> = []

    init(old: JSONValue, new: JSONValue, direction: ClientComparison.Direction) {
        (self.old, self.new, self.direction) = (old, new, direction)
    }

    /// Follows a reference to a part of the document.
    ///
    /// - Returns: The part, and the reference's text; nil as text if the value is no reference.
    static func resolved(_ value: JSONValue, in document: JSONValue) -> (value: JSONValue, name: String?) {
        guard let reference = value.object?["$ref"]?.string else { return (value, nil) }
        let parts = reference.split(separator: "/").dropFirst()
        return (parts.reduce(document) { $0.object?[String($1)] ?? .null }, reference)
    }

    mutating func breaks(at place: String, _ oldShape: JSONValue, _ newShape: JSONValue) -> [String] {
        let (before, oldName) = Self.resolved(oldShape, in: old)
        let (after, newName) = Self.resolved(newShape, in: new)
        if let oldName, let newName, !seen.insert("\(oldName) \(newName)").inserted { return [] }
        let (ways, newWays) = (Self.ways(before), Self.ways(after))
        guard ways.count == 1, newWays.count == 1 else {
            return alternativeBreaks(at: place, ways, newWays)
        }
        return typeBreaks(at: place, before, after) + limitBreaks(at: place, before, after)
            + memberBreaks(at: place, before, after) + innerBreaks(at: place, before, after)
    }

    /// The alternatives of a shape.
    private static func ways(_ shape: JSONValue) -> [JSONValue] {
        shape.object?["anyOf"]?.array ?? shape.object?["oneOf"]?.array ?? [shape]
    }

    /// Each alternative of a call must still be taken, and each of an answer must have been there.
    private func alternativeBreaks(at place: String, _ ways: [JSONValue], _ newWays: [JSONValue]) -> [String] {
        let (wanted, offered) = direction == .call ? (ways, newWays) : (newWays, ways)
        return wanted.enumerated().compactMap { index, way in
            let fits = offered.contains { other in
                var copy = self
                let (before, after) = direction == .call ? (way, other) : (other, way)
                return copy.breaks(at: place, before, after).isEmpty
            }
            if fits { return nil }
            return direction == .call
                ? "\(place): alternative \(index + 1) is not taken any more"
                : "\(place): alternative \(index + 1) is new"
        }
    }

    private func typeBreaks(at place: String, _ before: JSONValue, _ after: JSONValue) -> [String] {
        let (types, newTypes) = (Self.types(before), Self.types(after))
        let (wanted, offered) = direction == .call ? (types, newTypes) : (newTypes, types)
        guard !offered.isEmpty else { return [] }
        let isNarrower = wanted.isEmpty || !wanted.isSubset(of: offered)
        return isNarrower ? ["\(place): the type was \(Self.words(types)) and is \(Self.words(newTypes))"] : []
    }

    /// The types of a shape; none if it takes all. Each whole number is a number.
    private static func types(_ shape: JSONValue) -> Set<String> {
        let type = shape.object?["type"]
        let types = Set(type?.array?.compactMap(\.string) ?? [type?.string].compactMap(\.self))
        return types.contains("number") ? types.union(["integer"]) : types
    }

    private static func words(_ types: Set<String>) -> String {
        types.isEmpty ? "any" : types.sorted().joined(separator: " or ")
    }

    /// Words and limits of calls. In answers each of them may change.
    private func limitBreaks(at place: String, _ before: JSONValue, _ after: JSONValue) -> [String] {
        guard direction == .call else { return [] }
        var breaks: [String] = []
        if let words = after.object?["enum"]?.array {
            let gone = (before.object?["enum"]?.array ?? []).filter { !words.contains($0) }
            breaks += gone.map { "\(place): \($0.text) is not taken any more" }
            if before.object?["enum"] == nil { breaks.append("\(place): takes only some words now") }
        }
        for name in ["maximum", "maxLength", "maxItems", "maxProperties"] {
            guard let limit = after.object?[name]?.double else { continue }
            if (before.object?[name]?.double).map({ $0 > limit }) ?? true {
                breaks.append("\(place): \(name) is \(limit) now")
            }
        }
        for name in ["minimum", "minLength", "minItems", "minProperties"] {
            guard let limit = after.object?[name]?.double else { continue }
            if (before.object?[name]?.double).map({ $0 < limit }) ?? true {
                breaks.append("\(place): \(name) is \(limit) now")
            }
        }
        for name in ["pattern", "format"]
        where after.object?[name] != nil && after.object?[name] != before.object?[name] {
            breaks.append("\(place): \(name) has changed")
        }
        return breaks
    }

    private mutating func memberBreaks(at place: String, _ before: JSONValue, _ after: JSONValue) -> [String] {
        let (members, newMembers) = (before.object?["properties"]?.object, after.object?["properties"]?.object)
        let (required, newRequired) = (Self.required(before), Self.required(after))
        var breaks: [String] = []
        for member in members?.members ?? [] {
            let inner = "\(place).\(member.name)"
            if let other = newMembers?[member.name] {
                breaks += self.breaks(at: inner, member.value, other)
            } else if direction == .answer || after.object?["additionalProperties"] == false {
                breaks.append("\(inner) is gone")
            }
        }
        switch direction {
        case .call:
            breaks += newRequired.subtracting(required).sorted().map { "\(place).\($0) is required now" }
        case .answer:
            let absent = required.subtracting(newRequired).filter { newMembers?[$0] != nil }
            breaks += absent.sorted().map { "\(place).\($0) may be absent now" }
        }
        return breaks
    }

    private static func required(_ shape: JSONValue) -> Set<String> {
        Set(shape.object?["required"]?.array?.compactMap(\.string) ?? [])
    }

    /// Breaks in the elements of lists and in the members of maps.
    private mutating func innerBreaks(at place: String, _ before: JSONValue, _ after: JSONValue) -> [String] {
        var breaks: [String] = []
        for (name, sign) in [("items", "[]"), ("additionalProperties", ".*")] {
            guard let inner = before.object?[name], let other = after.object?[name], inner.object != nil,
                other.object != nil
            else { continue }
            breaks += self.breaks(at: place + sign, inner, other)
        }
        return breaks
    }
}
