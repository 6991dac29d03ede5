import EyotHTTP
import Mustache

/// How templates write text into HTML. Mustache's own way goes by characters, and an accent hides a quotation mark
/// from it.
struct PanelText: MustacheContentType {
    static let name = "PANEL"

    func escapeText(_ text: String) -> String { Markup.escaped(text.unicodeScalars) }
}
