/// The parts of drawings. All text from outside goes through ``text(_:)``.
enum SVG {
    /// Text as it may stand in SVG and in its attributes.
    static func text(_ text: String, limit: Int = 80) -> String {
        PanelText().escapeText(Shown.line(text, limit: limit))
    }

    /// A coordinate with one digit after the point.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10)
            ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// A drawing with a name for screen readers.
    static func drawing(_ name: String, width: Int, height: Int, kind: String, _ parts: [String]) -> String {
        """
        <svg class="\(kind)" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" \
        aria-label="\(text(name, limit: 400))">\(parts.joined())</svg>
        """
    }
}

/// What a colour says.
enum Tone: String {
    case good, warn, bad, calm

    /// The tone of a state age in seconds.
    init(age seconds: Double?) {
        switch seconds ?? 0 {
        case ..<10: self = .good
        case ..<60: self = .warn
        default: self = .bad
        }
    }
}
