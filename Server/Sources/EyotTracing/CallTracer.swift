import EyotContract
import EyotDomain
import Synchronization
import Tracing

/// A tracer of swift-distributed-tracing that reads W3C's `traceparent` and queues finished spans for export.
///
/// A call with a `traceparent` is recorded if its caller records the trace. Of the other calls a share begins a trace.
package struct CallTracer: Tracer {
    package let queue: SpanQueue
    /// The share of calls without a trace that begin one, from 0 to 1.
    let ratio: Double

    package init(ratio: Double, queue: SpanQueue = SpanQueue()) {
        (self.ratio, self.queue) = (ratio, queue)
    }

    /// Begins the span of a call; nil if the call is not recorded.
    ///
    /// - Parameter traceparent: The header of the call; nil if it has none.
    package func begin(_ traceparent: String?) -> CallSpan? {
        var context = ServiceContext.topLevel
        extract(traceparent, into: &context, using: HeaderExtractor())
        let span = startSpan(
            "call", context: context, ofKind: .server, at: DefaultTracerClock.now, function: #function, file: #fileID,
            line: #line)
        return span.isRecording ? span : nil
    }

    package func startSpan<Moment: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Moment, function: String, file fileID: String, line: UInt
    ) -> CallSpan {
        let context = context()
        var random = SystemRandomNumberGenerator()
        let parent = context.trace
        let own =
            parent?.with(span: random.next())
            ?? TraceContext(
                high: random.next(), low: random.next(), span: random.next(),
                isSampled: Double.random(in: 0..<1, using: &random) < ratio)
        let record = SpanRecord(
            name: operationName, kind: kind == .server ? .server : .inside, context: own, parent: parent?.span,
            start: Instant(nanoseconds: instant().nanosecondsSinceEpoch),
            end: Instant(nanoseconds: instant().nanosecondsSinceEpoch))
        return CallSpan(record, in: context, queue: queue)
    }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.trace = TraceContext(traceparent: text)
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    }
}

/// The one header that is read.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from carrier: String?) -> String? { carrier }
}

/// A span that is under way.
package final class CallSpan: Span {
    private struct State {
        var record: SpanRecord
        var attributes: SpanAttributes = [:]
        var isOver = false
    }

    package let context: ServiceContext
    package let isRecording: Bool
    private let queue: SpanQueue
    private let state: Mutex<State>

    init(_ record: SpanRecord, in context: ServiceContext, queue: SpanQueue) {
        var own = context
        own.trace = record.context
        self.context = own
        isRecording = record.context.isSampled
        self.queue = queue
        state = Mutex(State(record: record))
    }

    /// The context for what the span causes.
    package var trace: TraceContext? { context.trace }

    package var operationName: String {
        get { state.withLock { $0.record.name } }
        set { state.withLock { $0.record.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    /// Sets attributes and the status.
    package func note(_ texts: [String: String], numbers: [String: Int], isFailed: Bool) {
        for (name, text) in texts { attributes[name] = text }
        for (name, number) in numbers { attributes[name] = number }
        if isFailed { setStatus(SpanStatus(code: .error)) }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.record.isFailed = status.code == .error } }

    /// Does nothing: a call has no moments of its own that are worth a record.
    package func addEvent(_ event: SpanEvent) {}

    package func recordError<Moment: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Moment
    ) { state.withLock { $0.record.isFailed = true } }

    /// Does nothing: spans are children and never linked.
    package func addLink(_ link: SpanLink) {}

    package func end<Moment: TracerInstant>(at instant: @autoclosure () -> Moment) {
        let end = Instant(nanoseconds: instant().nanosecondsSinceEpoch)
        let record: SpanRecord? = state.withLock { state in
            guard isRecording, !state.isOver else { return nil }
            state.isOver = true
            state.record.end = end
            // swift-format-ignore: ReplaceForEachWithForLoop
            state.attributes.forEach { name, value in
                switch value {
                case .int64(let number): state.record.attributes[name] = .integer(number)
                case .string(let text): state.record.attributes[name] = .string(text)
                default: break
                }
            }
            return state.record
        }
        if let record { queue.add(record) }
    }
}

private enum TraceKey: ServiceContextKey {
    typealias Value = TraceContext
}

extension ServiceContext {
    fileprivate(set) var trace: TraceContext? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }
}

extension Instant {
    fileprivate init(nanoseconds: UInt64) { self.init(microseconds: Int64(nanoseconds / 1_000)) }
}
