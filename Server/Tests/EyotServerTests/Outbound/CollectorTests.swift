import EyotDomain
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import EyotServer
@testable import EyotTracing

/// Collectors of traces that do what they like.
@Suite("Traces: collectors", .timeLimit(.minutes(10)))
struct CollectorTests {
    /// Runs an exporter with waiting spans until the collector got some, and then stops it.
    private static func run(
        _ reaction: Receiver.Reaction, spans: Int = 1, _ check: (Receiver, SpanQueue) async throws -> Void
    ) async throws {
        try await Receiver.run(Receiver.always(reaction)) { receiver in
            let (queue, clock) = (SpanQueue(), StandingClock())
            for number in 0..<spans {
                let context = try #require(
                    TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
                queue.add(
                    SpanRecord(
                        name: "\(number)", kind: .inside, context: context, start: clock.now, end: clock.now))
            }
            let exporter = SpanExporter(
                queue: queue, endpoint: try #require(URL(string: "http://127.0.0.1:\(receiver.port)")), clock: clock,
                logger: Logger(label: "test"))
            let group = ServiceGroup(services: [exporter], logger: Logger(label: "test"))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                while receiver.messages.isEmpty {
                    clock.advance(1)
                    await Task.yield()
                }
                // A collector that never ends its answer is not waited for.
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
            try await check(receiver, queue)
        }
    }

    @Test(
        "The exporter stops, whatever the collector does",
        arguments: [Receiver.Reaction.hang, .flood, .trickle, .slowHead, .drip])
    func stops(_ reaction: Receiver.Reaction) async throws {
        try await Self.run(reaction, spans: 3_000) { receiver, _ in
            #expect(receiver.sent < 64 * 1_048_576)
        }
    }

    @Test func `Spans go to the collector as OTLP, and a redirect leads nowhere`() async throws {
        try await Self.run(.status(200)) { receiver, queue in
            let message = try #require(receiver.messages.first)
            #expect(message.path == "/v1/traces" && message.json?.object?["resourceSpans"] != nil)
            #expect(message.headers["content-type"] == "application/json")
            #expect(queue.dropped == 0)
        }
        try await Receiver.run { other in
            try await Self.run(.status(307, location: other.url)) { _, queue in
                #expect(queue.dropped == 1)
            }
            #expect(other.messages.isEmpty)
        }
    }
}
