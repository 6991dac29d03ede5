import EyotContract
import EyotDomain
import EyotTracing
import Foundation
import Logging
import ServiceLifecycle

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The service that sends finished spans to a collector, as OTLP over HTTP in JSON. Spans that it cannot send are
/// dropped and counted: a collector that is away must not fill the memory.
struct SpanExporter: Service {
    /// Seconds between two batches.
    private static let interval = 1.0
    /// Spans in one request.
    private static let batch = 512
    /// Seconds that a request may take.
    private static let timeout = 5.0

    let queue: SpanQueue
    /// The collector's base URL.
    let endpoint: URL
    let clock: any WallClock
    let logger: Logger

    func run() async throws { await recurring(each: Self.interval, by: clock) { await export() } }

    /// Sends what waits, in as many requests as it takes.
    private func export() async {
        let dropped = queue.dropped
        while case let spans = queue.take(atMost: Self.batch), !spans.isEmpty {
            do {
                try await send(spans)
            } catch {
                queue.drop(spans.count)
                logger.warning(
                    "Spans could not be sent to the collector and are dropped",
                    metadata: ["spans": "\(spans.count)", "dropped": "\(queue.dropped)", "error": "\(error)"])
                return
            }
        }
        if queue.dropped > dropped { logger.warning("Spans were dropped, because too many waited") }
    }

    private func send(_ spans: [SpanRecord]) async throws {
        var request = URLRequest(url: endpoint.appendingPathComponent("v1/traces"), timeoutInterval: Self.timeout)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(spans.otlp(version: BuildInfo.version).text.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
            throw SpanExportError(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
        }
    }
}

private struct SpanExportError: Error, CustomStringConvertible {
    var status: Int

    var description: String { "the collector answers \(status)" }
}

extension ServerConfiguration {
    /// The tracer and the links from operations to pages; nil if nothing is traced.
    func tracing() -> (CallTracer?, TraceLinks?) {
        guard otlpEndpoint != nil else { return (nil, nil) }
        let tracer = CallTracer(ratio: traceRatio)
        return (tracer, TraceLinks(queue: tracer.queue))
    }
}
