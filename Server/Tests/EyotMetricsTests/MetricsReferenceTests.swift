import Foundation
import Testing

@testable import EyotMetrics

/// The reference's table is made from the metrics. `WRITE_GOLDEN=1` writes it anew.
@Suite("The reference of metrics") struct MetricsReferenceTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/reference/metrics.md").standardizedFileURL

    private static let head = "| metric | kind | labels | meaning |\n|---|---|---|---|\n"

    private static var table: String {
        head
            + Metric.all.map { metric in
                let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
                return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help) |\n"
            }.joined()
    }

    @Test func `The page's table has each metric with its labels and meaning`() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.range(of: Self.head), "the page has the table's head")
        let end = text.range(of: "\n\n", range: start.upperBound..<text.endIndex)?.lowerBound ?? text.endIndex
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
            text.replaceSubrange(start.lowerBound..<end, with: Self.table.dropLast())
            try Data(text.utf8).write(to: Self.page)
            return
        }
        #expect(text[start.lowerBound..<end] + "\n" == Self.table)
    }

    @Test func `Alerts and dashboard ask for metrics that exist`() throws {
        let names = Set(
            Metric.all.flatMap { metric in
                metric.kind == .histogram
                    ? ["_bucket", "_sum", "_count"].map { metric.name + $0 } : [metric.name]
            })
        let deploy = Self.page.deletingLastPathComponent().appendingPathComponent("../../deploy").standardizedFileURL
        for file in ["prometheus/eyot-rules.yml", "prometheus/eyot-rules.test.yml", "grafana/eyot.json"] {
            let text = try String(contentsOf: deploy.appendingPathComponent(file), encoding: .utf8)
            let used = text.matches(of: /\beyot_[a-z0-9_]+/).map { String($0.0) }
            #expect(!used.isEmpty, "\(file)")
            for name in Set(used) { #expect(names.contains(name), "\(file): \(name)") }
        }
    }
}
