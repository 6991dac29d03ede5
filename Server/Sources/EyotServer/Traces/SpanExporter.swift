import EyotContract
import EyotDomain
import EyotTracing
import Foundation
import Logging
import NIOCore
import OutboundHTTP
import ServiceLifecycle

/// The service that sends finished spans to a collector, as OTLP over HTTP in JSON. Spans that it cannot send are
/// dropped and counted: a collector that is away must not fill the memory.
struct SpanExporter: Service {
    /// Seconds between two batches.
    private static let interval = 1.0
    /// Spans in one request.
    private static let batch = 512
    /// The time for a request, and for all requests of a server that stops.
    private static let (time, lastTime) = (TimeAmount.seconds(5), TimeAmount.seconds(1))

    let queue: SpanQueue
    /// The collector's base URL.
    let endpoint: URL
    let clock: any WallClock
    let logger: Logger

    init(queue: SpanQueue, endpoint: URL, clock: any WallClock, logger: Logger) {
        (self.queue, self.endpoint, self.clock, self.logger) = (queue, endpoint, clock, logger)
    }

    private let client = OutboundClient(.init(time: SpanExporter.time, bodyBytes: nil, calls: 1))

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Cancelled when the server stops, also in the middle of a request.
            while (try? await clock.pause(seconds: Self.interval)) != nil { await export() }
        }
        // A collector that takes them at once gets the last spans too.
        await export(until: .now() + Self.lastTime)
        await client.close()
    }

    /// Sends what waits, in as many requests as it takes.
    private func export(until deadline: NIODeadline = .distantFuture) async {
        let dropped = queue.dropped
        while case let spans = queue.take(atMost: Self.batch), !spans.isEmpty {
            do {
                try await send(spans, until: deadline)
            } catch {
                // The stop of the server cut the request off. A collector that got it knows a span by its id.
                guard !Task.isCancelled else { return queue.putBack(spans) }
                queue.drop(spans.count)
                logger.warning(
                    "Spans could not be sent to the collector and are dropped",
                    metadata: ["spans": "\(spans.count)", "dropped": "\(queue.dropped)", "error": "\(error)"])
                return
            }
        }
        if queue.dropped > dropped { logger.warning("Spans were dropped, because too many waited") }
    }

    private func send(_ spans: [SpanRecord], until deadline: NIODeadline) async throws {
        let call = OutboundCall(
            .post, endpoint.appendingPathComponent("v1/traces").absoluteString,
            headers: [("content-type", "application/json")],
            body: Array(spans.otlp(version: BuildInfo.version).text.utf8))
        let status = try await client.send(call, until: deadline).status
        guard (200..<300).contains(status) else { throw SpanExportError(status: status) }
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
