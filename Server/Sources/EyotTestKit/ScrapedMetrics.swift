/// A scrape, read strictly by the rules of Prometheus's text format 0.0.4.
package struct ScrapedMetrics {
    /// A line that breaks a rule of the format.
    package struct Fault: Error, CustomStringConvertible {
        package var description: String
    }

    package struct Sample: Sendable, Hashable {
        package var name: String
        package var labels: [String: String]
        package var value: Double
    }

    package private(set) var samples: [Sample] = []
    /// The kinds of the metrics by name.
    package private(set) var kinds: [String: String] = [:]
    private var family = ""
    private var seen: Set<String> = []

    /// - Throws: ``Fault``.
    package init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Fault(description: "the last line does not end") }
        for line in text.split(separator: "\n") { try read(line) }
        try checkHistograms()
    }

    /// The value of a sample; nil if there is none with exactly these labels.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func read(_ line: Substring) throws {
        if line.hasPrefix("#") { return try describe(line) }
        let form = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
        guard let match = line.wholeMatch(of: form), let value = Self.number(match.3) else {
            throw Fault(description: "no sample: \(line)")
        }
        let sample = Sample(name: String(match.1), labels: try Self.labels(match.2 ?? ""), value: value)
        let suffixes = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family + $0 == sample.name }) else {
            throw Fault(description: "\(sample.name) stands below \(family)")
        }
        guard !samples.contains(sample),
            !samples.contains(where: { ($0.name, $0.labels) == (sample.name, sample.labels) })
        else { throw Fault(description: "twice: \(line)") }
        if kinds[family] == "counter", value < 0 { throw Fault(description: "a negative counter: \(line)") }
        samples.append(sample)
    }

    private mutating func describe(_ line: Substring) throws {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "#" else { throw Fault(description: "no description: \(line)") }
        let name = String(words[2])
        switch words[1] {
        case "HELP":
            guard seen.insert(name).inserted else { throw Fault(description: "\(name) comes twice") }
            family = name
        case "TYPE":
            guard name == family, kinds[name] == nil, ["counter", "gauge", "histogram"].contains(String(words[3]))
            else {
                throw Fault(description: "a wrong type: \(line)")
            }
            kinds[name] = String(words[3])
        default: throw Fault(description: "no description: \(line)")
        }
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: Double(text)
        }
    }

    private static func labels(_ text: Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/) else {
                throw Fault(description: "no labels: \(text)")
            }
            let value = String(match.2).replacing(#/\\(.)/#) { $0.1 == "n" ? "\n" : String($0.1) }
            guard labels.updateValue(value, forKey: String(match.1)) == nil else {
                throw Fault(description: "a label comes twice: \(text)")
            }
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    /// Buckets rise, the last one is +Inf, and equals the count.
    private func checkHistograms() throws {
        for (name, kind) in kinds where kind == "histogram" {
            let counts = samples.filter { $0.name == name + "_count" }
            for count in counts {
                let buckets = samples.filter { sample in
                    sample.name == name + "_bucket" && sample.labels.filter { $0.key != "le" } == count.labels
                }
                let bounds = buckets.compactMap { $0.labels["le"].flatMap { Self.number($0[...]) } }
                let values = buckets.map(\.value)
                guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
                    values == values.sorted(), values.last == count.value
                else { throw Fault(description: "a wrong histogram: \(name) \(count.labels)") }
            }
        }
    }
}
