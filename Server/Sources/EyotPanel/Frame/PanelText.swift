import EyotHTTP
import Mustache

/// How templates write text into HTML. Mustache's own way goes by characters, and an accent hides a quotation mark
/// from it.
///
/// Characters that draw nothing or turn the direction are written by their numbers. ``Shown`` makes them visible in
/// what people read. The value of a field must stay as it is, and its text in the page does not hide them either.
struct PanelText: MustacheContentType {
    static let name = "PANEL"

    func escapeText(_ text: String) -> String {
        let escaped = Markup.escaped(text.unicodeScalars)
        guard escaped.unicodeScalars.contains(where: Shown.isHidden) else { return escaped }
        return escaped.unicodeScalars.reduce(into: "") { written, scalar in
            // HTML reads the numbers of some control characters as other characters.
            let isKept = scalar == "\0" || (0x80...0x9F).contains(scalar.value)
            if Shown.isHidden(scalar), !isKept {
                written += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
    }
}
