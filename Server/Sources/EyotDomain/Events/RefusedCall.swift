import EyotContract

/// The names by which a call is found again.
package struct RequestID: Sendable, Hashable {
    /// The most characters that are kept of a caller's own id.
    private static let longest = 128

    /// The server's id, which the answer has in `X-Request-Id`.
    package var own: String
    /// The id that the caller sent in `X-Request-Id`; nil if it sent none.
    package var callers: String?

    package init(_ own: String, callers: String? = nil) {
        self.own = own
        // What could break a line of a log, or fill it, is no id.
        self.callers = callers.flatMap { id in
            let isPlain = id != own && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isPlain && (1...Self.longest).contains(id.utf8.count) ? id : nil
        }
    }
}

/// A call that was refused and has changed nothing. It holds nothing that the caller wrote but its id and the name of
/// the member that was wrong.
package struct RefusedCall: Sendable, Hashable {
    /// The most characters that are kept of the name of a member.
    private static let longestField = 80

    package var request: RequestID
    package var method: String
    /// The template of the route, because paths hold people's ids.
    package var route: String
    package var status: Int
    /// The member that was wrong, as a path; nil if none was.
    package var field: String?
    /// The key of the call; nil if it has none with an id.
    package var key: Int64?

    package init(
        _ request: RequestID, _ method: String, _ route: String, status: Int, field: String? = nil, key: Int64? = nil
    ) {
        (self.request, self.method, self.route, self.status, self.key) = (request, method, route, status, key)
        self.field = field.map { String($0.prefix(Self.longestField)) }
    }

    /// The parts that are stored as one text. The ids of the request have columns of their own.
    package var json: JSONValue {
        var object = JSONObject([
            ("method", .string(method)), ("route", .string(route)), ("status", .integer(status)),
        ])
        object["field"] = field.map(JSONValue.string)
        object["key"] = key.map { .integer(Int($0)) }
        return .object(object)
    }

    /// Nil if the text is not that of a call.
    package init?(json: JSONValue, request: RequestID) {
        guard let object = json.object, let method = object["method"]?.string, let route = object["route"]?.string,
            let status = object["status"]?.integer
        else { return nil }
        self.init(
            request, method, route, status: status, field: object["field"]?.string,
            key: object["key"]?.integer.map(Int64.init))
    }
}
