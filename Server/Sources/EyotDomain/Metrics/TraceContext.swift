/// The context of a trace, as the header `traceparent` of W3C's Trace Context carries it.
package struct TraceContext: Sendable, Hashable {
    /// The two halves of the trace's id.
    package var high: UInt64
    package var low: UInt64
    /// The id of the span that others are children of.
    package var span: UInt64
    /// Whether the caller records the trace.
    package var isSampled: Bool

    package init(high: UInt64, low: UInt64, span: UInt64, isSampled: Bool) {
        (self.high, self.low, self.span, self.isSampled) = (high, low, span, isSampled)
    }

    /// Reads a `traceparent`; nil if it is malformed, or an id in it is 0.
    package init?(traceparent text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Self.isDigit($0) }),
            let high = UInt64(parts[1].prefix(16), radix: 16), let low = UInt64(parts[1].suffix(16), radix: 16),
            let span = UInt64(parts[2], radix: 16), let flags = UInt8(parts[3], radix: 16),
            high != 0 || low != 0, span != 0
        else { return nil }
        self.init(high: high, low: low, span: span, isSampled: flags & 1 == 1)
    }

    /// The text of the header.
    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    package var traceID: String { Self.text(of: high) + Self.text(of: low) }
    package var spanID: String { Self.text(of: span) }

    /// The same trace with another span.
    package func with(span: UInt64) -> TraceContext {
        TraceContext(high: high, low: low, span: span, isSampled: isSampled)
    }

    /// 16 hexadecimal digits in lower case.
    package static func text(of id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Only lower case is allowed.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// An operation that a traced call has made.
package struct TracedOperation: Sendable, Hashable {
    /// The context of the call's span.
    package var context: TraceContext
    package var operation: Int64
    package var verb: DeclarationRequest.Verb
    /// The generation that it declared something for; nil if it did not.
    package var activity: ActivityID?
    package var version: Version

    package init(_ operation: Operation, in context: TraceContext) {
        self.context = context
        self.operation = operation.id
        (verb, activity, version) = (operation.verb, operation.activity, operation.version)
    }
}
