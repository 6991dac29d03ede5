/// The description of a metric. The exporter writes it, and the reference's table is checked against it.
package struct Metric: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The name, with its unit at the end.
    package let name: String
    package let kind: Kind
    /// The names of its labels, in the order in which their values are given.
    package let labels: [String]
    /// What it counts or measures, in a sentence.
    package let help: String
    /// The upper bounds of a histogram's buckets, ascending. The last bucket has none.
    package let bounds: [Double]

    init(_ name: String, _ kind: Kind, _ labels: [String] = [], _ help: String, bounds: [Double] = []) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
        self.bounds = bounds
    }
}
