/// A person whom a phone named without proving it. From then on the phone is nobody's, and nobody else's either.
public struct IdentityRefusal: Sendable, Hashable {
    /// The stable code of the catalogue.
    public static let code = "identityRefused"

    /// Whom the phone named.
    public var user: String
    /// What is wrong with the signature: `EXPIRED`, for example.
    public var reason: String
    /// The same as a number.
    public var number: Int

    /// Makes a refusal.
    public init(user: String, reason: String, number: Int) {
        self.user = user
        self.reason = reason
        self.number = number
    }
}

// MARK: - JSON

extension IdentityRefusal {
    /// Reads it from an answer. Members that a newer server added are passed over.
    init(fields: inout JSONFields) throws(JSONFieldError) {
        user = try fields.required("user", fields.string("user"))
        reason = try fields.required("reason", fields.string("reason"))
        number = try fields.required("reasonCode", fields.integer("reasonCode"))
    }

    /// As it stands in an answer.
    public var json: JSONValue {
        [
            "code": .string(Self.code), "reason": .string(reason), "reasonCode": .integer(number),
            "user": .string(user),
        ]
    }
}

extension JSONFields {
    /// A refusal, where there is one.
    mutating func identityRefusal(_ name: String) throws(JSONFieldError) -> IdentityRefusal? {
        guard var nested = try fields(name) else { return nil }
        return try IdentityRefusal(fields: &nested)
    }
}
