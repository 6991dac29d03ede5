import EyotContract
import EyotDomain
import EyotHTTP

/// One request of `sendNotification`: a card of a definition for one user.
struct NetmeraTransaction: Sendable {
    var key: Int
    /// Nil leaves it to the definition.
    var group: String?
    var audience: Audience
    var unread: [String]

    /// Requests in one call.
    static let limit = 100

    /// The requests of a call, which may come as an array.
    static func all(in call: Call) throws -> [NetmeraTransaction] {
        let json = try call.json()
        let elements = json.array ?? [json]
        guard (1...limit).contains(elements.count) else {
            throw EyotError(.fieldInvalid, "an array must have 1 to \(limit) requests")
        }
        return try elements.enumerated().map { index, element in
            do throws(JSONFieldError) {
                var fields = try JSONFields(element, at: json.array == nil ? "" : "[\(index)]")
                return try NetmeraTransaction(&fields)
            } catch {
                throw EyotError(theirs: error)
            }
        }
    }

    private init(_ fields: inout JSONFields) throws(JSONFieldError) {
        key = try fields.required("notificationKey", fields.netmeraKey("notificationKey"))
        var message = try fields.fields("message")
        group = try message?.netmeraGroup()
        var target = try fields.required("target", fields.fields("target"))
        _ = try target.required("extId", target.value("extId"))
        audience = try NetmeraTarget.audience(&target)
        unread = fields.unread + (message?.unread ?? []) + target.unread
    }
}

extension JSONFields {
    /// A key, which samples write as text and clients as a number.
    mutating func netmeraKey(_ name: String) throws(JSONFieldError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let key = value.integer ?? value.string.flatMap({ Int($0) }), key > 0 else {
            throw invalid(name, "must be a key that was answered before")
        }
        return key
    }
}
