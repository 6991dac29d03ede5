/// A plain drawing of a card, as Lock Screen and Island may show it. The app's own views look different.
struct CardDrawing {
    private static let (width, height) = (360, 132)

    var app: String
    var fields: CardFields
    /// What is said instead of a state, such as that the card has ended.
    var note: String?

    /// The card on the Lock Screen.
    var lockScreen: String {
        var parts = [
            #"<rect class="card-face" width="\#(Self.width)" height="\#(Self.height)" rx="22"/>"#,
            text(18, 26, "start", "card-app", app, 40),
        ]
        if let note { parts.append(text(Self.width - 18, 26, "end", "card-app", note, 24)) }
        let columns = max(1, fields.figures.count)
        for (index, figure) in fields.figures.enumerated() {
            let x = Self.width * (2 * index + 1) / (2 * columns)
            parts.append(text(x, 72, "middle", "card-figure", figure.value, 12))
            parts.append(text(x, 92, "middle", "card-caption", figure.caption, 48 / columns))
        }
        let first = fields.figures.isEmpty ? 58 : 116
        for (index, line) in fields.lines.prefix(fields.figures.isEmpty ? 3 : 1).enumerated() {
            parts.append(text(Self.width / 2, first + 22 * index, "middle", "card-line", line, 48))
        }
        let name = "Lock Screen, approximate. \(sentence)"
        return SVG.drawing(name, width: Self.width, height: Self.height, kind: "lock-screen", parts)
    }

    /// The compact Island.
    var island: String {
        let parts = [
            #"<rect class="island-face" width="230" height="36" rx="18"/>"#,
            text(16, 24, "start", "island-text", compact.first, 12),
            text(214, 24, "end", "island-text", compact.last, 12),
        ]
        return SVG.drawing("Dynamic Island, approximate", width: 230, height: 36, kind: "island", parts)
    }

    private var compact: (first: String, last: String) {
        guard let figure = fields.figures.first else { return (app, fields.lines.first ?? "") }
        guard fields.figures.count > 1 else { return (figure.caption, figure.value) }
        return (
            "\(figure.caption.prefix(3).uppercased()) \(figure.value)",
            "\(fields.figures[1].value) \(fields.figures[1].caption.prefix(3).uppercased())"
        )
    }

    private var sentence: String {
        (fields.figures.map { "\($0.caption) \($0.value)" } + fields.lines).joined(separator: ", ")
    }

    private func text(
        _ x: Int, _ y: Int, _ anchor: String, _ kind: String, _ text: String, _ limit: Int
    ) -> String {
        #"<text class="\#(kind)" x="\#(x)" y="\#(y)" text-anchor="\#(anchor)">\#(SVG.text(text, limit: limit))</text>"#
    }
}
