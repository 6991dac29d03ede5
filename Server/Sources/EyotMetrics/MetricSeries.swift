import CoreMetrics
import Synchronization

/// One series of a metric: its values for one set of labels.
///
/// It is the handler of a counter, a gauge or a recorder of swift-metrics.
package final class MetricSeries: Sendable {
    /// The value of a series.
    struct Value: Sendable {
        /// A counter's or gauge's value, and the sum of a histogram.
        var sum = 0.0
        /// The counts of a histogram's buckets, each without the lower ones. The last one has no upper bound.
        var counts: [Int] = []
    }

    private let bounds: [Double]
    private let state: Mutex<Value>

    init(_ metric: Metric) {
        bounds = metric.bounds
        let buckets = metric.kind == .histogram ? metric.bounds.count + 1 : 0
        state = Mutex(Value(counts: Array(repeating: 0, count: buckets)))
    }

    var value: Value { state.withLock { $0 } }

    func add(_ amount: Double) { state.withLock { $0.sum += amount } }

    package func set(_ value: Double) { state.withLock { $0.sum = value } }

    /// Records values of a histogram, each with its count, under one lock.
    func record(_ values: some Sequence<(value: Double, count: Int)>) {
        state.withLock { state in
            for (value, count) in values where count > 0 {
                state.counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += count
                state.sum += value * Double(count)
            }
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
    package func increment(by amount: Int64) { add(Double(amount)) }
    package func increment(by amount: Double) { add(amount) }
    package func decrement(by amount: Double) { add(-amount) }
    package func set(_ value: Int64) { set(Double(value)) }
    package func record(_ value: Int64) { record(Double(value)) }
    package func record(_ value: Double) { record(CollectionOfOne((value: value, count: 1))) }
    /// Does nothing: a counter of Prometheus starts again only with its process.
    package func reset() {}
}
