import EyotContract
import EyotDomain

/// A span that is over, as it is exported.
package struct SpanRecord: Sendable, Hashable {
    package enum Kind: Int, Sendable {
        /// A span inside the server, by OTLP's number.
        case inside = 1
        /// A call of the server.
        case server = 2
    }

    package var name: String
    package var kind: Kind
    package var context: TraceContext
    /// The span that this one is a child of; nil for the first of a trace.
    package var parent: UInt64?
    package var start: Instant
    package var end: Instant
    /// The attributes: texts and whole numbers.
    package var attributes: [String: JSONValue] = [:]
    package var isFailed = false

    /// The span in OTLP's JSON.
    var json: JSONValue {
        var object = JSONObject([
            ("traceId", .string(context.traceID)), ("spanId", .string(context.spanID)), ("name", .string(name)),
            ("kind", .integer(kind.rawValue)), ("startTimeUnixNano", .string("\(start.microseconds)000")),
            ("endTimeUnixNano", .string("\(max(end, start).microseconds)000")),
            ("attributes", .array(attributes.sorted { $0.key < $1.key }.map(Self.attribute))),
            ("status", isFailed ? ["code": 2] : [:]),
        ])
        object["parentSpanId"] = parent.map { .string(TraceContext.text(of: $0)) }
        return .object(object)
    }

    static func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
        // OTLP writes 64-bit integers as texts.
        [
            "key": .string(name),
            "value": value.string.map { ["stringValue": .string($0)] } ?? ["intValue": .string(value.text)],
        ]
    }
}

extension [SpanRecord] {
    /// The body of a request to OTLP's `/v1/traces`.
    ///
    /// - Parameter version: The program's version.
    package func otlp(version: String) -> JSONValue {
        let resource = [
            SpanRecord.attribute("service.name", "eyot"), SpanRecord.attribute("service.version", .string(version)),
        ]
        let scope: JSONValue = ["scope": ["name": "eyot"], "spans": .array(map(\.json))]
        return [
            "resourceSpans": [["resource": ["attributes": .array(resource)], "scopeSpans": .array([scope])]]
        ]
    }
}
