import EyotContract
import EyotDomain

/// A regular expression that an index of texts can answer. It matches one or more texts, each as the whole value or as
/// a part of it.
///
/// Other expressions are refused, because the time to run them on all texts has no bound.
struct BrazePattern {
    private static let limit = 100

    private var texts: [String]
    /// Whether a text must be the whole value.
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

    /// Parses an expression; nil if it is not of this kind.
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
        // If it were open at one end only, it would test the beginning or the end of a text.
        guard !begins || isOpenBefore == isOpenAfter else { return nil }
        isWhole = begins && !isOpenBefore
        if rest.hasPrefix("("), rest.hasSuffix(")"), !rest.hasSuffix("\\)") {
            rest = rest.dropFirst(rest.hasPrefix("(?:") ? 3 : 1).dropLast()
        } else if begins || isOpenBefore || isOpenAfter, rest.contains("|") {
            // Without a group, an anchor belongs to only one of the texts.
            return nil
        }
        guard let texts = Self.literals(rest), !texts.isEmpty, texts.count <= Self.limit, !texts.contains("") else {
            return nil
        }
        self.texts = texts
    }

    /// Returns the texts between `|`, without escapes. Nil if a special character is not escaped.
    private static func literals(_ pattern: Substring) -> [String]? {
        var texts = [""]
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                // A backslash before a letter is a class, such as digits.
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
