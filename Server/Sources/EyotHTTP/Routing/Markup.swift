/// Text within HTML and XML.
package enum Markup {
    /// Writes a text so that nothing in it is markup, also within an attribute.
    ///
    /// It goes by scalars: a quotation mark with an accent on it is one `Character`, and ends an attribute as well.
    package static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
        text.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
