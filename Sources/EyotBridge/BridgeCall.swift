import EyotContract
import Foundation

/// A request, read strictly from JSON: an unknown member is an error that names it.
enum BridgeCall: Sendable, Hashable {
    case start(type: String, attributes: JSONValue, content: BridgedContent)
    case update(id: String, type: String?, content: BridgedContent)
    case end(id: String, type: String?, content: BridgedContent?, dismissal: BridgedDismissal)
    case list(type: String)
    case listAll

    private enum Method: String, CaseIterable {
        case start, update, end, list, listAll
    }

    /// Reads a request.
    ///
    /// - Parameter request: a JSON object. No bytes, or `null`, count as an empty one.
    init(_ method: String, _ request: some Collection<UInt8>) throws(BridgeError) {
        guard let method = Method(rawValue: method) else {
            let known = Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw BridgeError(.unknownMethod, "there is no call \(BridgeError.excerpt(method)); there are \(known)")
        }
        guard request.count <= LiveActivityBridge.requestLimit else {
            throw BridgeError(
                .requestTooLarge, "the request has \(request.count) bytes, at most \(LiveActivityBridge.requestLimit)")
        }
        let value = try Self.parse(request)
        do throws(JSONFieldError) {
            var fields = try JSONFields(value == .null ? [:] : value)
            self = try Self.read(method, &fields)
            try fields.finish()
        } catch {
            throw BridgeError(error)
        }
    }

    private static func parse(_ request: some Collection<UInt8>) throws(BridgeError) -> JSONValue {
        guard !request.isEmpty else { return .null }
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: request)
        } catch {
            throw BridgeError(error)
        }
    }

    private static func read(_ method: Method, _ fields: inout JSONFields) throws(JSONFieldError) -> BridgeCall {
        switch method {
        case .start:
            return .start(
                type: try fields.requiredType(),
                attributes: try fields.required("attributes", fields.value("attributes")),
                content: try fields.required("content", fields.content()))
        case .update:
            return .update(
                id: try fields.required("activityId", fields.string("activityId")), type: try fields.type(),
                content: try fields.required("content", fields.content()))
        case .end:
            return .end(
                id: try fields.required("activityId", fields.string("activityId")), type: try fields.type(),
                content: try fields.content(), dismissal: try fields.dismissal())
        case .list: return .list(type: try fields.requiredType())
        case .listAll: return .listAll
        }
    }
}

extension JSONFields {
    /// Reads the type's name under either of its keys. If both are present, they must be equal.
    fileprivate mutating func type() throws(JSONFieldError) -> String? {
        let (native, foreign) = (try string("attributesType"), try string("attributeTypes"))
        if let native, let foreign, native != foreign {
            throw invalid("attributeTypes", "says another type than attributesType")
        }
        return native ?? foreign
    }

    fileprivate mutating func requiredType() throws(JSONFieldError) -> String { try required("attributesType", type()) }

    fileprivate mutating func content() throws(JSONFieldError) -> BridgedContent? {
        guard var content = try fields("content") else { return nil }
        let state = try content.required("state", content.value("state"))
        let read = BridgedContent(
            state: state, staleDate: try content.date("staleDate"),
            relevanceScore: try content.double("relevanceScore") ?? 0)
        try content.finish()
        return read
    }

    fileprivate mutating func dismissal() throws(JSONFieldError) -> BridgedDismissal {
        guard var policy = try fields("dismissalPolicy") else { return .default }
        let type = try policy.required("type", policy.string("type"))
        let read: BridgedDismissal
        switch type {
        case "default": read = .default
        case "immediate": read = .immediate
        case "after": read = .after(try policy.required("date", policy.date("date")))
        default: throw policy.invalid("type", "must be default, immediate or after")
        }
        try policy.finish()
        return read
    }

    private mutating func date(_ name: String) throws(JSONFieldError) -> Date? {
        guard let text = try string(name) else { return nil }
        guard let date = RFC3339.date(from: text) else {
            throw invalid(name, "must be a date with a zone, such as 2022-12-18T15:00:00Z")
        }
        return date
    }
}
