import EyotDomain
import Synchronization

/// The operations of traced calls, so that the pages that carry their versions become spans of the same trace.
package final class TraceLinks: Sendable {
    /// A version of an activity.
    package struct Place: Sendable, Hashable {
        package var activity: ActivityID
        package var version: Version

        package init(activity: ActivityID, version: Version) {
            (self.activity, self.version) = (activity, version)
        }
    }

    /// What a page carried of one version.
    package struct Part: Sendable, Hashable {
        package var pushes = 0
        package var accepted = 0

        package init() {}
    }

    private struct Link {
        /// The context of the operation's span.
        var context: TraceContext
        var operation: Int64
        var notedAt: Instant
        /// Pages that may still become spans.
        var pages = TraceLinks.pagesPerOperation
    }

    /// The most operations that are followed. Beyond it the oldest one is followed no more.
    static let limit = 1_000
    /// Seconds for which an operation is followed.
    static let lifetime = 900.0
    /// Pages of an operation that become spans.
    static let pagesPerOperation = 100

    private let queue: SpanQueue
    private let links = Mutex<[Place: Link]>([:])
    private let count = Atomic(0)

    package init(queue: SpanQueue) { self.queue = queue }

    /// Whether no operation is followed. Pages then need not be looked at.
    package var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Records the spans of operations, and follows them.
    package func note(_ operations: [TracedOperation], at now: Instant) {
        var random = SystemRandomNumberGenerator()
        for traced in operations {
            let own = traced.context.with(span: random.next())
            queue.add(
                SpanRecord(
                    name: "operation \(traced.verb.rawValue)", kind: .inside, context: own, parent: traced.context.span,
                    start: now, end: now,
                    attributes: [
                        "eyot.operation": .string("\(traced.operation)"), "eyot.version": .integer(traced.version),
                    ]))
            guard let activity = traced.activity else { continue }
            follow(
                Place(activity: activity, version: traced.version),
                Link(context: own, operation: traced.operation, notedAt: now))
        }
    }

    private func follow(_ place: Place, _ link: Link) {
        let left = links.withLock { links in
            links = links.filter { abs(link.notedAt.seconds(since: $0.value.notedAt)) < Self.lifetime }
            if links.count >= Self.limit, let oldest = links.min(by: { $0.value.notedAt < $1.value.notedAt }) {
                links[oldest.key] = nil
            }
            links[place] = link
            return links.count
        }
        count.store(left, ordering: .relaxed)
    }

    /// Records a span for each followed operation with pushes on a page.
    ///
    /// - Parameters:
    ///   - start: When the page left the engine.
    ///   - end: When its verdicts were known.
    package func note(
        _ parts: [Place: Part], in environment: String, from start: Instant, to end: Instant
    ) {
        var random = SystemRandomNumberGenerator()
        for (place, part) in parts {
            let link: Link? = links.withLock { links in
                guard let link = links[place], link.pages > 0 else { return nil }
                links[place]?.pages -= 1
                return link
            }
            guard let link else { continue }
            queue.add(
                SpanRecord(
                    name: "page", kind: .inside, context: link.context.with(span: random.next()),
                    parent: link.context.span, start: start, end: end,
                    attributes: [
                        "eyot.operation": .string("\(link.operation)"), "eyot.version": .integer(place.version),
                        "eyot.pushes": .integer(part.pushes), "eyot.accepted": .integer(part.accepted),
                        "eyot.environment": .string(environment),
                    ]))
        }
    }
}
