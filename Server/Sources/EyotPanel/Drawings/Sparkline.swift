/// A small line over time, without axes. Gaps are steps without a value.
struct Sparkline {
    static let (width, height) = (120, 24)
    /// The least value that fills the height, so that small changes do not look like trouble.
    private static let least = 10.0

    var values: [Double?]
    var tone: Tone
    /// What it shows, for screen readers.
    var name: String

    var svg: String {
        let top = max(Self.least, values.compactMap(\.self).max() ?? 0)
        let step = Double(Self.width - 4) / Double(max(1, values.count - 1))
        var runs: [[(Double, Double)]] = [[]]
        for (index, value) in values.enumerated() {
            guard let value else {
                runs.append([])
                continue
            }
            // Square roots keep low values apart from each other beside a high one.
            let share = (max(0, value) / top).squareRoot()
            runs[runs.count - 1].append((2 + Double(index) * step, 2 + (1 - share) * Double(Self.height - 4)))
        }
        let parts = runs.filter { !$0.isEmpty }.map { run in
            guard run.count > 1 else {
                return
                    #"<circle class="spot \#(tone)" cx="\#(SVG.number(run[0].0))" cy="\#(SVG.number(run[0].1))" r="1.5"/>"#
            }
            let points = run.map { "\(SVG.number($0.0)),\(SVG.number($0.1))" }.joined(separator: " ")
            return #"<polyline class="line \#(tone)" points="\#(points)"/>"#
        }
        return SVG.drawing(name, width: Self.width, height: Self.height, kind: "spark", parts)
    }
}
