/// Bars over time or over steps, with the highest value and the names of the ends.
struct Histogram {
    static let (width, height) = (360, 132)
    private static let (left, bottom, top) = (44.0, 18.0, 8.0)
    /// The most bars. Neighbours are added up beyond it.
    private static let limit = 120

    var name: String
    var values: [Double]
    /// What stands below the first and the last bar.
    var ends: (first: String, last: String)
    var tone = Tone.calm
    /// The highest value in words.
    var label: (Double) -> String = { Figures.count(Int($0)) }
    /// Whether neighbours that share a bar count by the highest of them instead of their sum.
    var isMaximum = false

    var svg: String {
        let bars = merged
        let most = bars.max() ?? 0
        let (plot, floor) = (Double(Self.width) - Self.left, Double(Self.height) - Self.bottom)
        let step = plot / Double(max(1, bars.count))
        var parts = [
            line(Self.left, floor, Double(Self.width), floor), line(Self.left, Self.top, Double(Self.width), Self.top),
            text(Self.left - 6, Self.top + 4, "end", most > 0 ? label(most) : "0"),
            text(Self.left - 6, floor + 4, "end", "0"), text(Self.left, Double(Self.height) - 4, "start", ends.first),
            text(Double(Self.width), Double(Self.height) - 4, "end", ends.last),
        ]
        for (index, value) in bars.enumerated() where value > 0 && most > 0 {
            let height = max(1, value / most * (floor - Self.top))
            parts.append(
                """
                <rect class="fill \(tone)" x="\(SVG.number(Self.left + Double(index) * step))" \
                y="\(SVG.number(floor - height))" width="\(SVG.number(max(1, step - 1)))" \
                height="\(SVG.number(height))"/>
                """)
        }
        return SVG.drawing(name, width: Self.width, height: Self.height, kind: "histogram", parts)
    }

    private var merged: [Double] {
        let size = max(1, (values.count + Self.limit - 1) / Self.limit)
        return stride(from: 0, to: values.count, by: size).map { start in
            let group = values[start..<min(start + size, values.count)]
            return isMaximum ? group.max() ?? 0 : group.reduce(0, +)
        }
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        """
        <line class="axis" x1="\(SVG.number(x1))" y1="\(SVG.number(y1))" x2="\(SVG.number(x2))" \
        y2="\(SVG.number(y2))"/>
        """
    }

    private func text(_ x: Double, _ y: Double, _ anchor: String, _ text: String) -> String {
        #"<text x="\#(SVG.number(x))" y="\#(SVG.number(y))" text-anchor="\#(anchor)">\#(SVG.text(text))</text>"#
    }
}
