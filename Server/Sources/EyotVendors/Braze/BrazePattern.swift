import EyotContract
import EyotDomain

/// A regular expression, as far as it asks nothing that an index of texts cannot answer: texts that are the whole value or stand somewhere
/// in it, one or several.
///
/// Others are refused. To try an expression of a caller's on everybody's texts takes time that nobody can bound.
struct BrazePattern {
    private static let limit = 100

    private var texts: [String]
    /// Whether a text has to be the whole value.
    private var isWhole: Bool

    init(_ fields: inout JSONFields) throws(JSONFieldError) {
        let text = try fields.requiredPart("value")
        guard let pattern = BrazePattern(text) else {
            throw fields.invalid(
                "value",
                "is an expression that is not done here: texts are, with ^ and $ or .* at both ends, and | between them"
            )
        }
        self = pattern
    }

    /// Nil where it asks for more.
    private init?(_ text: String) {
        var rest = text[...]
        let begins = rest.first == "^"
        if begins { rest.removeFirst() }
        let ends = rest.last == "$" && !rest.dropLast().hasSuffix("\\")
        if ends { rest.removeLast() }
        guard begins == ends else { return nil }
        let (isOpenBefore, isOpenAfter) = (rest.hasPrefix(".*"), rest.hasSuffix(".*") && !rest.hasSuffix("\\.*"))
        if isOpenBefore { rest = rest.dropFirst(2) }
        if isOpenAfter { rest = rest.dropLast(2) }
        // Open at one end alone, it would ask how a text begins.
        guard !begins || isOpenBefore == isOpenAfter else { return nil }
        isWhole = begins && !isOpenBefore
        if rest.hasPrefix("("), rest.hasSuffix(")"), !rest.hasSuffix("\\)") {
            rest = rest.dropFirst(rest.hasPrefix("(?:") ? 3 : 1).dropLast()
        } else if begins || isOpenBefore || isOpenAfter, rest.contains("|") {
            // Without a group, an end belongs to one of the texts alone.
            return nil
        }
        guard let texts = Self.literals(rest), !texts.isEmpty, texts.count <= Self.limit, !texts.contains("") else {
            return nil
        }
        self.texts = texts
    }

    /// Texts with | between them, in which what has another meaning is escaped; nil where something is not.
    private static func literals(_ pattern: Substring) -> [String]? {
        var texts = [""]
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                // A letter after it is a class, such as digits.
                guard !character.isLetter, !character.isNumber else { return nil }
                texts[texts.count - 1].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "|" {
                texts.append("")
            } else if "^$.*+?()[]{}".contains(character) {
                return nil
            } else {
                texts[texts.count - 1].append(character)
            }
        }
        return isEscaped ? nil : texts
    }

    func audience(_ rule: (AttributeRule.Test) -> Audience) -> Audience {
        let parts = texts.map { rule(isWhole ? .equals(.text($0)) : .contains($0)) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }
}
