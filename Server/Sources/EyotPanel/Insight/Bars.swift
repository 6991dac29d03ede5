import EyotContract
import EyotDomain

/// Counts over time, drawn as bars on the server.
struct Bars {
    /// One bar. Lengths are in units of the drawing.
    struct Bar {
        var x: String
        var y: String
        var width: String
        var height: String
        var title: String
    }

    /// What is counted, over steps of one length.
    struct Series {
        /// The first second of the first step.
        var first: Int
        /// Seconds of a step.
        var step: Int
        var counts: [Int]
    }

    let width: Int
    let height: Int
    let label: String
    let bars: [Bar]
    let most: String
    let from: Moment
    let until: Moment

    /// - Parameter label: what the picture says, for readers who do not see it.
    init(_ series: Series, width: Int, height: Int, label: String) {
        (self.width, self.height, self.label) = (width, height, label)
        let top = max(1, series.counts.max() ?? 1)
        let slot = Double(width) / Double(max(1, series.counts.count))
        let gap = slot > 4 ? 1.0 : 0
        bars = series.counts.enumerated().compactMap { index, count in
            guard count > 0 else { return nil }
            let tall = max(1, Double(height) * Double(count) / Double(top))
            let at = Instant(second: series.first + index * series.step)
            return Bar(
                x: Self.text(Double(index) * slot), y: Self.text(Double(height) - tall),
                width: Self.text(max(0.5, slot - gap)), height: Self.text(tall),
                title: "\(Figures.count(count)) · \(Self.name(of: at, step: series.step))")
        }
        most = Figures.count(series.counts.max() ?? 0)
        from = Moment(Instant(second: series.first))
        until = Moment(Instant(second: series.first + series.counts.count * series.step))
    }

    private static func name(of at: Instant, step: Int) -> String {
        // 2026-11-25T20:00:00.000Z
        step < CountSpan.day ? "\(at.rfc3339.prefix(16).replacing("T", with: " ")) UTC" : String(at.rfc3339.prefix(10))
    }

    private static func text(_ number: Double) -> String { Figures.decimal(number, digits: 2).replacing(",", with: "") }
}
