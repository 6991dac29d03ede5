import EyotContract
import EyotDomain
import Testing

@testable import EyotTracing

@Suite("Traces") struct TracingTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    private let now = Instant(second: 1_000)

    @Test(
        "A traceparent is read by W3C's rules",
        arguments: [
            (parent, true), ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-ab", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01", false), ("", false), ("anna", false),
        ])
    func traceparent(text: String, isRight: Bool) {
        let context = TraceContext(traceparent: text)
        #expect((context != nil) == isRight)
        if isRight, text.hasPrefix("00") { #expect(context?.traceparent == text) }
    }

    @Test func `A call belongs to its caller's trace if the caller records it`() throws {
        let tracer = CallTracer(ratio: 0)
        #expect(tracer.begin(nil) == nil)
        #expect(tracer.begin("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00") == nil)
        let span = try #require(tracer.begin(Self.parent))
        #expect(span.trace?.traceID == "0af7651916cd43dd8448eb211c80319c")
        span.operationName = "GET /v1/apps"
        span.note(["http.route": "/v1/apps"], numbers: ["http.response.status_code": 500], isFailed: true)
        span.end()
        span.end()
        let records = tracer.queue.take(atMost: 10)
        #expect(records.count == 1, "a span ends once")
        let record = try #require(records.first)
        #expect(record.name == "GET /v1/apps")
        #expect(record.parent.map(TraceContext.text(of:)) == "b7ad6b7169203331")
        #expect(record.isFailed)
        #expect(record.attributes == ["http.route": "/v1/apps", "http.response.status_code": 500])
        #expect(CallTracer(ratio: 1).begin(nil) != nil)
    }

    @Test func `Pages of a traced operation are spans of its trace, up to a limit`() throws {
        let queue = SpanQueue()
        let links = TraceLinks(queue: queue)
        #expect(links.isEmpty)
        let context = try #require(TraceContext(traceparent: Self.parent))
        var operation = Operation(
            app: AppID(rawValue: 1), verb: .update, name: "final", activity: ActivityID(rawValue: 7), generation: 1,
            version: 3, outcome: .applied, acceptedAt: now)
        operation.id = 42
        links.note([TracedOperation(operation, in: context)], at: now)
        #expect(!links.isEmpty)
        var part = TraceLinks.Part()
        (part.pushes, part.accepted) = (1_000, 990)
        let (own, other) = (
            TraceLinks.Place(activity: ActivityID(rawValue: 7), version: 3),
            TraceLinks.Place(activity: ActivityID(rawValue: 7), version: 4)
        )
        for _ in 0...TraceLinks.pagesPerOperation {
            links.note([own: part, other: part], in: "production", from: now + 1, to: now + 2)
        }
        let records = queue.take(atMost: 1_000)
        #expect(records.count == 1 + TraceLinks.pagesPerOperation)
        #expect(records.first?.name == "operation update")
        #expect(records.first?.parent == context.span)
        #expect(records.allSatisfy { $0.context.traceID == context.traceID })
        #expect(records.dropFirst().allSatisfy { $0.parent == records.first?.context.span })
        #expect(records.last?.attributes["eyot.operation"] == "42")
        #expect(records.last?.attributes["eyot.pushes"] == 1_000)
        let json = [try #require(records.last)].otlp(version: "1").text
        #expect(json.contains(#""startTimeUnixNano":"1001000000000""#))
        #expect(json.contains(#"{"key":"eyot.pushes","value":{"intValue":"1000"}}"#))
    }

    @Test func `Beyond the limit spans are dropped and counted`() throws {
        let queue = SpanQueue(limit: 2)
        let context = try #require(TraceContext(traceparent: Self.parent))
        for number in 1...5 {
            queue.add(SpanRecord(name: "\(number)", kind: .inside, context: context, start: now, end: now))
        }
        #expect(queue.dropped == 3)
        #expect(queue.take(atMost: 1).map(\.name) == ["1"])
        queue.drop(1)
        #expect(queue.dropped == 4)
    }

    @Test func `Spans that are put back come first, and those without room are dropped and counted`() throws {
        let queue = SpanQueue(limit: 3)
        let context = try #require(TraceContext(traceparent: Self.parent))
        func add(_ names: ClosedRange<Int>) {
            for name in names {
                queue.add(SpanRecord(name: "\(name)", kind: .inside, context: context, start: now, end: now))
            }
        }
        add(1...3)
        let taken = queue.take(atMost: 2)
        add(4...4)
        queue.putBack(taken)
        #expect(queue.dropped == 1)
        #expect(queue.take(atMost: 9).map(\.name) == ["1", "3", "4"])
    }
}
