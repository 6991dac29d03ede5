/// The refusal of a user that a phone named without proof. After it the phone has no user.
public struct IdentityRefusal: Sendable, Hashable {
    /// The stable code in the catalogue of errors.
    public static let code = "identityRefused"

    /// The user that the phone named.
    public var user: String
    /// What is wrong with the signature, for example `EXPIRED`.
    public var reason: String
    /// The reason as a number.
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
    /// Reads a refusal from an answer. Unknown members, which a newer server may add, are ignored.
    init(fields: inout JSONFields) throws(JSONFieldError) {
        user = try fields.required("user", fields.string("user"))
        reason = try fields.required("reason", fields.string("reason"))
        number = try fields.required("reasonCode", fields.integer("reasonCode"))
    }

    /// The refusal as it stands in an answer.
    public var json: JSONValue {
        [
            "code": .string(Self.code), "reason": .string(reason), "reasonCode": .integer(number),
            "user": .string(user),
        ]
    }
}

extension JSONFields {
    /// Reads a refusal; nil if there is none.
    mutating func identityRefusal(_ name: String) throws(JSONFieldError) -> IdentityRefusal? {
        guard var nested = try fields(name) else { return nil }
        return try IdentityRefusal(fields: &nested)
    }
}
