/// The name of a language in BCP 47: `de`, `pt-BR`, `zh-Hant-TW`.
public enum LanguageTag {
    /// The greatest length, in characters.
    public static let length = 35

    /// Whether a text has the form of a tag: parts of one to eight letters and digits, joined by hyphens. Does not
    /// check that the language exists.
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
