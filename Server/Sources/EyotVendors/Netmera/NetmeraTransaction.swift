import EyotContract
import EyotDomain
import EyotHTTP

/// One request of `sendNotification`: a card of a definition for one user.
struct NetmeraTransaction: Sendable {
    var key: Int
    /// Nil means that of the definition.
    var group: String?
    /// Nil means that of the definition.
    var endDate: Instant?
    var audience: Audience
    var unread: [String]

    /// The most requests in one call.
    static let limit = 100

    /// Returns the requests of a call: one, or an array of them.
    static func all(in call: Call, isLenient: Bool) throws -> [NetmeraTransaction] {
        let json = try call.json()
        let elements = json.array ?? [json]
        guard (1...limit).contains(elements.count) else {
            throw EyotError(.fieldInvalid, "an array must have 1 to \(limit) requests")
        }
        return try elements.enumerated().map { index, element in
            do throws(JSONFieldError) {
                var fields = try JSONFields(element, at: json.array == nil ? "" : "[\(index)]")
                return try NetmeraTransaction(&fields, isLenient: isLenient)
            } catch {
                throw EyotError(theirs: error)
            }
        }
    }

    private init(_ fields: inout JSONFields, isLenient: Bool) throws(JSONFieldError) {
        key = try fields.required("notificationKey", fields.netmeraKey("notificationKey"))
        var message = try fields.fields("message")
        group = try message?.netmeraGroup()
        endDate = try message?.netmeraDate("liveActEndDate", isLenient: isLenient)
        let misplaced =
            try fields.misplacedDates(isLenient: isLenient)
            + (message?.misplacedDates(isLenient: isLenient) ?? [])
        var target = try fields.required("target", fields.fields("target"))
        _ = try target.required("extId", target.value("extId"))
        audience = try NetmeraTarget.audience(&target)
        unread = misplaced + fields.unread + (message?.unread ?? []) + target.unread
    }
}

extension JSONFields {
    /// Reads a key, which samples write as text and clients as a number.
    mutating func netmeraKey(_ name: String) throws(JSONFieldError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let key = value.integer ?? value.string.flatMap({ Int($0) }), key > 0 else {
            throw invalid(name, "must be a key that was answered before")
        }
        return key
    }
}
