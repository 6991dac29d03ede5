/// The text of metrics in Prometheus's format, version 0.0.4.
package struct PrometheusText {
    /// The media type of the text.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Adds the values of a metric. A metric without series has only its description.
    mutating func add(_ metric: Metric, _ series: [(labels: [String], value: MetricSeries.Value)]) {
        text += "# HELP \(metric.name) \(Self.escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        for (labels, value) in series {
            let pairs = Array(zip(metric.labels, labels))
            if metric.kind == .histogram {
                add(metric, value, pairs)
            } else {
                line(metric.name, pairs, value.sum)
            }
        }
    }

    private mutating func add(_ metric: Metric, _ value: MetricSeries.Value, _ pairs: [(String, String)]) {
        var count = 0
        for (bound, further) in zip(metric.bounds.map(Self.number) + ["+Inf"], value.counts) {
            count += further
            line(metric.name + "_bucket", pairs + [("le", bound)], Double(count))
        }
        line(metric.name + "_sum", pairs, value.sum)
        line(metric.name + "_count", pairs, Double(count))
    }

    private mutating func line(_ name: String, _ pairs: [(String, String)], _ value: Double) {
        text += name
        if !pairs.isEmpty {
            let labels = pairs.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }
            text += "{" + labels.joined(separator: ",") + "}"
        }
        text += " " + Self.number(value) + "\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value > 0 ? "+Inf" : "-Inf" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
