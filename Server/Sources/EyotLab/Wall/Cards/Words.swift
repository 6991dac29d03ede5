import EyotContract
import Foundation

/// Texts for the wall, made of names and values that may be hostile. Control characters are replaced and long texts
/// are cut, so that no value can disturb what stands beside it.
enum Words {
    /// The most characters of a text.
    static let limit = 60
    /// The most Unicode scalars for each character of the limit, because a character may have any number of them.
    private static let scalarsPerCharacter = 3

    /// A text without control characters, cut to the limit.
    static func clipped(_ text: String, to limit: Int = limit) -> String {
        let scalarLimit = limit * scalarsPerCharacter
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(scalarLimit) {
            scalars.append(isDrawn(scalar) ? scalar : "\u{FFFD}")
        }
        let clean = String(scalars)
        let isWhole = clean.count <= limit && text.unicodeScalars.prefix(scalarLimit + 1).count <= scalarLimit
        return isWhole ? clean : clean.prefix(limit - 1) + "…"
    }

    /// Whether a scalar may stand in XML and shows something. Marks of direction stay: they end with the element.
    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .unassigned: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }

    /// A name of code in words: `minutesLeft` is `minutes left`.
    static func of(_ name: String) -> String {
        var words = ""
        var wasLower = false
        for character in name.prefix(2 * limit) {
            if character.isUppercase, wasLower { words += " " }
            words += wasLower ? character.lowercased() : String(character)
            wasLower = character.isLowercase || character.isNumber
        }
        return clipped(words.replacing("_", with: " "))
    }

    /// A value of a state. Numbers keep their literal.
    static func of(_ value: JSONValue) -> String {
        switch value {
        case .null: "–"
        case .bool(let bool): bool ? "yes" : "no"
        case .number(let literal): clipped(literal)
        case .string(let text): clipped(text)
        case .array, .object: clipped(value.text)
        }
    }
}
