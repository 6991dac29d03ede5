import CoreMetrics
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotMetrics

@Suite("Metrics") struct MetricRegistryTests {
    private let now = Instant(second: 1_000)
    private static let counter = Metric("a_total", .counter, ["who", "how"], "Counts a \\ and\na line.")
    private static let times = Metric("b_seconds", .histogram, [], "Times.", bounds: [0.5, 1, 2])

    @Test func `Names, labels and kinds follow Prometheus's conventions`() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        for metric in Metric.all {
            #expect(metric.name.wholeMatch(of: /eyot_[a-z0-9]+(_[a-z0-9]+)*/) != nil, "\(metric.name)")
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
            #expect(metric.kind != .histogram || metric.name.hasSuffix("_seconds"), "\(metric.name)")
            #expect(metric.bounds == metric.bounds.sorted())
            #expect(metric.bounds.isEmpty == (metric.kind != .histogram), "\(metric.name)")
            #expect(metric.help.hasSuffix("."), "\(metric.name)")
            #expect(metric.labels.allSatisfy { !["le", "device", "user", "token"].contains($0) })
            // Only watched activities have series of their own.
            #expect(metric.labels.contains("activity") == metric.name.hasPrefix("eyot_activity_"), "\(metric.name)")
        }
    }

    @Test func `The text is read strictly, with values that need escapes`() throws {
        let registry = MetricRegistry([Self.counter, Self.times])
        let odd = "a\"b\\c\nd{e=\"f\",g}"
        Counter(label: "a_total", dimensions: [("who", odd), ("how", "")], factory: registry).increment(by: 3)
        registry.series(Self.times, []).record([(value: 0.5, count: 2), (value: 0.7, count: 1), (value: 9, count: 4)])
        var text = PrometheusText()
        for metric in [Self.counter, Self.times] { text.add(metric, registry.values(of: metric)) }
        let scraped = try ScrapedMetrics(text.text)
        #expect(scraped.value("a_total", ["who": odd, "how": ""]) == 3)
        #expect(scraped.value("b_seconds_bucket", ["le": "0.5"]) == 2)
        #expect(scraped.value("b_seconds_bucket", ["le": "1"]) == 3)
        #expect(scraped.value("b_seconds_bucket", ["le": "2"]) == 3)
        #expect(scraped.value("b_seconds_bucket", ["le": "+Inf"]) == 7)
        #expect(scraped.value("b_seconds_count") == 7)
        #expect(scraped.value("b_seconds_sum") == 37.7)
    }

    @Test(
        "A text that breaks the format is found",
        arguments: [
            "# HELP a A.\n# TYPE a counter\na -1\n", "# HELP a A.\n# TYPE a counter\na 1", "a 1\n",
            "# HELP a A.\n# TYPE a counter\na 1\na 1\n", "# HELP a A.\n# TYPE a counter\nb 1\n",
            "# HELP a A.\n# TYPE a meter\na 1\n", "# HELP a A.\n# TYPE a gauge\na{b=\"c} 1\n",
            "# HELP a A.\n# TYPE a gauge\na{b=\"\\x\"} 1\n", "# HELP a A.\n# TYPE a gauge\na{b=\"1\",b=\"2\"} 1\n",
            "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        ])
    func faults(text: String) { #expect(throws: ScrapedMetrics.Fault.self) { try ScrapedMetrics(text) } }

    @Test func `Beyond the limit labels share one series`() throws {
        let registry = MetricRegistry([Self.counter], limit: 3)
        for number in 1...10 { registry.series(Self.counter, ["\(number)", "x"]).add(1) }
        registry.series(Self.counter, ["2", "x"]).add(1)
        let values = registry.values(of: Self.counter)
        #expect(values.map(\.labels) == [["1", "x"], ["2", "x"], ["3", "x"], ["other", "other"]])
        #expect(values.map(\.value.sum) == [1, 2, 1, 7])
    }

    @Test func `A library's metrics and other labels are not exported`() {
        let registry = MetricRegistry([Self.counter])
        Counter(label: "library_total", factory: registry).increment()
        Counter(label: "a_total", dimensions: [("user", "anna")], factory: registry).increment()
        Recorder(label: "b", factory: registry).record(1)
        #expect(registry.values(of: Self.counter).isEmpty)
    }

    @Test func `Occurrences are counted for their apps, and apps beyond the limit together`() throws {
        let meters = Meters()
        var first = App(
            id: AppID(rawValue: 1), bundleID: "org.example.one", name: "One", publicKey: "", createdAt: now)
        meters.note(first)
        for id in 2...Int64(AppNames.limit + 1) {
            (first.id, first.bundleID) = (AppID(rawValue: id), "org.example.\(id)")
            meters.note(first)
        }
        meters.count([
            Occurrence(.declared(.start, .applied), of: AppID(rawValue: 1)): 2,
            Occurrence(.event(.cardDismissed), of: AppID(rawValue: 1)): 3,
            Occurrence(.startSkipped(.osTooOld), of: AppID(rawValue: 101)): 5,
        ])
        let scraped = try ScrapedMetrics(meters.text(at: now))
        let labels = ["app": "org.example.one", "verb": "start", "outcome": "applied"]
        #expect(scraped.value("eyot_declarations_total", labels) == 2)
        #expect(scraped.value("eyot_reported_total", ["app": "org.example.one", "result": "dismissed"]) == 3)
        #expect(scraped.value("eyot_events_total", ["app": "org.example.one", "type": "card.dismissed"]) == 3)
        #expect(scraped.value("eyot_starts_skipped_total", ["app": "other", "reason": "osTooOld"]) == 5)
    }

    @Test func `What is due ages until the engine says that it is over`() throws {
        let (meters, app) = (Meters(), AppID(rawValue: 1))
        meters.note(due: [app: Meters.Due(activities: 2, since: now)])
        #expect(meters.longestBehind(at: now + 12) == 12)
        let scraped = try ScrapedMetrics(meters.text(at: now + 12))
        #expect(scraped.value("eyot_activities_due", ["app": "other"]) == 2)
        #expect(scraped.value("eyot_cards_behind_oldest_seconds", ["app": "other"]) == 12)
        meters.note(due: [:])
        let after = try ScrapedMetrics(meters.text(at: now + 13))
        #expect(after.value("eyot_activities_due", ["app": "other"]) == 0)
        #expect(after.value("eyot_cards_behind_oldest_seconds", ["app": "other"]) == 0)
    }
}
