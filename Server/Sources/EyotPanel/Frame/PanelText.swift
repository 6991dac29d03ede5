import Mustache

/// How templates write text into HTML: by scalars, because a quotation mark with a combining character after it is
/// another `Character` than a quotation mark alone, and ends an attribute all the same.
struct PanelText: MustacheContentType {
    static let name = "PANEL"

    func escapeText(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
