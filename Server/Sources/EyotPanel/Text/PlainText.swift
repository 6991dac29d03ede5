/// Text from outside as pages show it. Each character can be seen, and none turns the direction of its neighbours.
enum PlainText {
    /// The most characters of one text.
    static let limit = 400

    /// Names invisible characters, and shortens long texts.
    static func visible(_ text: String, limit: Int = limit) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            if isHidden(scalar) {
                shown += "⟨U+\(code(of: scalar))⟩"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(limit).isEmpty ? shown : shown + "…"
    }

    private static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Control characters, separators of lines, and marks of direction.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
