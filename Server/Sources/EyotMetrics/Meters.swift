import CoreMetrics
import EyotContract
import EyotDomain
import Synchronization

/// The metrics of one server. What happens is counted where it happens, in memory, and a scrape only reads.
///
/// Counts of single things go through the counters, meters and recorders of swift-metrics. Pages record many values
/// at once, under one lock.
package final class Meters: Sendable {
    /// Sets gauges and counters that are kept elsewhere, when a scrape reads them.
    package typealias Collector = @Sendable (Meters) -> Void

    /// The activities of an app that are due.
    package struct Due: Sendable, Hashable {
        package var activities: Int
        /// The moment up to which all cards of the app had the newest state.
        package var since: Instant

        package init(activities: Int, since: Instant) {
            (self.activities, self.since) = (activities, since)
        }
    }

    package let names = AppNames()
    private let registry: MetricRegistry
    private let phones = ReportingPhones()
    private let collectors = Mutex<[Collector]>([])
    private let due = Mutex<[AppID: Due]>([:])
    private let behind = Mutex<[ActivityID: Instant]>([:])
    /// The apps that the last scrape had as gauges, by metric.
    private let gauged = Mutex<[String: Set<[String]>]>([:])

    package init(_ registry: MetricRegistry = MetricRegistry()) {
        self.registry = registry
        for limit in Metric.limits { begin(.limited, limit) }
    }

    // MARK: Beginnings

    /// Makes a counter's series before its first event. Prometheus takes the first value of a series as its base, so
    /// the first events of one that begins with them would be in no increase.
    package func begin(_ metric: Metric, _ labels: String...) { _ = registry.series(metric, labels) }

    /// Notes the name of an app, and begins its counters that alerts look at.
    package func note(_ app: App) {
        guard names.note(app) else { return }
        let name = names.name(of: app.id)
        for result in Occurrence.Report.allCases.map(\.rawValue) + [Self.dismissed] { begin(.reported, name, result) }
        for environment in PushEnvironment.allCases {
            for verdict in Metric.verdictWords { begin(.verdicts, name, environment.rawValue, verdict) }
        }
    }

    /// The result of a report that a card was dismissed.
    private static let dismissed = "dismissed"

    // MARK: Counting

    package func count(_ metric: Metric, _ labels: String..., by amount: Int = 1) {
        Counter(label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: registry)
            .increment(by: amount)
    }

    package func record(_ metric: Metric, _ labels: String..., value: Double) {
        Recorder(label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: registry).record(value)
    }

    /// Records values with their counts, under one lock.
    package func record(_ metric: Metric, _ labels: [String], _ values: some Sequence<(value: Double, count: Int)>) {
        registry.series(metric, labels).record(values)
    }

    package func set(_ metric: Metric, _ labels: String..., to value: Double) {
        Meter(label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: registry).set(value)
    }

    /// Raises or lowers a gauge.
    package func raise(_ metric: Metric, _ labels: String..., by amount: Int) {
        Meter(label: metric.name, dimensions: Array(zip(metric.labels, labels)), factory: registry)
            .increment(by: Double(amount))
    }

    /// Sets the series of a gauge. Series that an earlier call has set and this one does not become 0.
    package func setAll(_ metric: Metric, _ values: [[String]: Double]) {
        let former = gauged.withLock { gauged in
            defer { gauged[metric.name] = Set(values.keys) }
            return gauged[metric.name] ?? []
        }
        for labels in former.subtracting(values.keys) { registry.series(metric, labels).set(0.0) }
        for (labels, value) in values { registry.series(metric, labels).set(value) }
    }

    /// Counts what a transaction did, once it is durable.
    package func count(_ occurrences: [Occurrence: Int]) {
        for (occurrence, times) in occurrences {
            let app = names.name(of: occurrence.app)
            switch occurrence.kind {
            case .declared(let verb, let outcome): count(.declared, app, verb.rawValue, outcome.rawValue, by: times)
            case .startSkipped(let reason): count(.startsSkipped, app, reason.rawValue, by: times)
            case .reported(let result, let device, let activity):
                count(.reported, app, result.rawValue, by: times)
                phones.note(result, by: device, of: activity, app: occurrence.app)
            case .event(let kind): count(.events, app, kind.rawValue, by: times)
            }
            if occurrence.kind == .event(.cardDismissed) { count(.reported, app, Self.dismissed, by: times) }
        }
    }

    // MARK: What is due

    /// Replaces what is due, by app and by activity. The engine calls it once a second.
    package func note(due: [AppID: Due], behind: [ActivityID: Instant] = [:]) {
        self.due.withLock { $0 = due }
        self.behind.withLock { $0 = behind }
    }

    /// Since when a card of each activity can be behind. Activities without anything due are left out.
    package var activitiesBehind: [ActivityID: Instant] { behind.withLock { $0 } }

    /// The longest time for which a card can have been behind, in seconds; 0 if none is.
    package func longestBehind(at now: Instant) -> Double {
        due.withLock { due in due.values.map { max(0, now.seconds(since: $0.since)) }.max() ?? 0 }
    }

    // MARK: Reading

    /// Adds a collector that each scrape runs. It asks no store.
    package func collect(_ collector: @escaping Collector) { collectors.withLock { $0.append(collector) } }

    private func write(_ phones: [AppID: [Occurrence.Report: Int]]) {
        var values: [[String]: Double] = [:]
        for (app, counts) in phones {
            for result in Occurrence.Report.allCases {
                values[[names.name(of: app), result.rawValue], default: 0] += Double(counts[result] ?? 0)
            }
        }
        setAll(.phonesReporting, values)
    }

    /// The text for Prometheus.
    package func text(at now: Instant) -> String {
        for collector in collectors.withLock({ $0 }) { collector(self) }
        let due = due.withLock { $0 }
        let named = due.map { (names.name(of: $0.key), $0.value) }
        write(phones.counts())
        setAll(
            .activitiesDue, Dictionary(named.map { ([$0.0], Double($0.1.activities)) }, uniquingKeysWith: +))
        setAll(
            .oldestBehind,
            Dictionary(named.map { ([$0.0], max(0, now.seconds(since: $0.1.since))) }, uniquingKeysWith: max))
        var text = PrometheusText()
        for metric in Metric.all { text.add(metric, registry.values(of: metric)) }
        return text.text
    }
}

/// The names of apps for labels. Further apps beyond the limit are called ``MetricRegistry/other``.
package final class AppNames: Sendable {
    /// The most apps that have a name.
    package static let limit = 100

    private let names = Mutex<[AppID: String]>([:])

    package func name(of app: AppID) -> String { names.withLock { $0[app] } ?? MetricRegistry.other }

    package func isKnown(_ app: AppID) -> Bool { names.withLock { $0[app] != nil } }

    /// Notes the name of an app, which is its bundle id.
    ///
    /// - Returns: Whether the name is new.
    fileprivate func note(_ app: App) -> Bool {
        names.withLock { names in
            guard names[app.id] == nil, names.count < Self.limit else { return false }
            names[app.id] = app.bundleID
            return true
        }
    }
}
