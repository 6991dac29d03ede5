import EyotContract

/// Text from outside, as pages draw it. Each character can be seen, and none turns the direction of its neighbours.
enum Shown {
    /// The most characters of one line.
    static let lineLimit = 400

    /// Writes characters by their numbers that draw nothing, or turn the direction of what stands after them.
    static func text(_ text: String) -> String {
        replacing(in: text, name)
    }

    /// Shows a text on one line, and shortens a long one.
    static func line(_ text: String, limit: Int = lineLimit) -> String {
        let line = replacing(in: String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))), name)
            .replacing("\n", with: "⟨U+000A⟩")
        return text.unicodeScalars.dropFirst(limit).isEmpty ? line : line + "…"
    }

    private static func name(_ scalar: Unicode.Scalar) -> String { "⟨U+\(hex(scalar.value))⟩" }

    /// Returns JSON for people. Hidden characters are escaped, so the text stands for the same value.
    static func json(_ value: JSONValue) -> String {
        replacing(in: value.indentedText) { scalar in
            scalar.value == 0x0A ? "\n" : String(scalar).utf16.map { "\\u\(hex(UInt32($0)))" }.joined()
        }
    }

    private static func replacing(in text: String, _ write: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) { shown += write(scalar) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    /// Whether a character draws nothing, or turns the direction of what stands after it.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func hex(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
