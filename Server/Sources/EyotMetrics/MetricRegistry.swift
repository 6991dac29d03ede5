import CoreMetrics
import Synchronization

/// The series of all metrics, as a factory for swift-metrics.
///
/// The number of series of a metric is limited. Beyond the limit new sets of labels share one series, in which each
/// label has the value ``other``. Metrics that ``Metric/all`` does not have are not kept.
package final class MetricRegistry: Sendable {
    /// The value of each label beyond the limit.
    package static let other = "other"
    /// The most series of one metric.
    package static let seriesLimit = 2_000

    private let known: [String: Metric]
    private let limit: Int
    private let families = Mutex<[String: [[String]: MetricSeries]]>([:])

    package init(_ metrics: [Metric] = Metric.all, limit: Int = MetricRegistry.seriesLimit) {
        known = Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, $0) })
        self.limit = limit
    }

    /// The series of a metric for the values of its labels. It is made at its first use.
    package func series(_ metric: Metric, _ values: [String]) -> MetricSeries {
        precondition(values.count == metric.labels.count, "\(metric.name) has other labels")
        return families.withLock { families in
            if let series = families[metric.name]?[values] { return series }
            let isFull = families[metric.name]?.count ?? 0 >= limit
            let values = isFull ? metric.labels.map { _ in Self.other } : values
            if let series = families[metric.name]?[values] { return series }
            let series = MetricSeries(metric)
            families[metric.name, default: [:]][values] = series
            return series
        }
    }

    /// The values of a metric by the values of its labels, in their order.
    func values(of metric: Metric) -> [(labels: [String], value: MetricSeries.Value)] {
        let series = families.withLock { $0[metric.name] ?? [:] }
        return series.map { ($0.key, $0.value.value) }.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    /// The series that a library asks for by names; nil if it is no metric of the server.
    private func found(_ label: String, _ dimensions: [(String, String)]) -> MetricSeries? {
        guard let metric = known[label], dimensions.map(\.0) == metric.labels else { return nil }
        return series(metric, dimensions.map(\.1))
    }
}

extension MetricRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        found(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { found(label, dimensions) ?? NOOPMetricsHandler.instance }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        found(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { found(label, dimensions) ?? NOOPMetricsHandler.instance }

    /// No metric is a timer: times are recorded in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
