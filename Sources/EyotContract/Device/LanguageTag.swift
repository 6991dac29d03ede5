/// The name of a language as BCP 47 has it: `de`, `pt-BR`, `zh-Hant-TW`.
public enum LanguageTag {
    /// The most characters of one.
    public static let length = 35

    /// Whether a text has the form of one: parts of one to eight letters and digits, joined by hyphens. Whether there is such a language
    /// is not asked.
    public static func isValid(_ text: String) -> Bool {
        guard (1...length).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy(isLetterOrDigit)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
