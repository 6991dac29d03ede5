import EyotContract

/// A text with places for parameters, such as `{{home}} scores`.
struct PlaceholderText {
    enum Part: Hashable {
        case text(Substring)
        case parameter(String)
    }

    private(set) var parts: [Part] = []

    /// The error for a text that cannot be read.
    struct Unreadable: Error {}

    /// The most characters of a parameter's name.
    static let nameLength = 64

    /// - Throws: ``Unreadable`` if `{{` is not followed by a parameter's name and `}}`.
    init(_ text: String) throws(Unreadable) {
        var rest = text[...]
        while let opening = rest.firstRange(of: "{{") {
            if opening.lowerBound > rest.startIndex { parts.append(.text(rest[..<opening.lowerBound])) }
            rest = rest[opening.upperBound...]
            guard let closing = rest.firstRange(of: "}}") else { throw Unreadable() }
            let name = String(rest[..<closing.lowerBound])
            guard Self.isName(name) else { throw Unreadable() }
            parts.append(.parameter(name))
            rest = rest[closing.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(rest)) }
    }

    /// The parameter that is the whole text, or nil if the text has more.
    var onlyParameter: String? {
        guard parts.count == 1, case .parameter(let name) = parts[0] else { return nil }
        return name
    }

    /// Whether a text has only letters, digits and `_`, and does not begin with a digit.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (1...nameLength).contains(text.utf8.count) else { return false }
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        return !isDigit && text.utf8.allSatisfy { FieldRule.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
    }
}
