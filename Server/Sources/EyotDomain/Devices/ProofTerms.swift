import EyotContract

/// What an app asks of the tokens that prove its users, beside a signature.
package struct ProofTerms: Sendable, Hashable {
    /// What `iss` has to be; nil asks for none.
    package var issuer: String?
    /// What `aud` has to be or to name; nil asks for none.
    package var audience: String?
    /// How far ahead `exp` may lie, in seconds.
    package var longestSeconds = ProofTerms.usualLongest
    /// Whether a token that one phone has shown proves nothing on another. If not, that is counted and listed.
    package var isForOneDevice = false

    /// A year: a token that is good for longer is a password.
    package static let usualLongest = 366 * 86_400
    package static let greatestLongest = 10 * usualLongest

    package init() {}

    package var json: JSONValue {
        var object = JSONObject()
        object["issuer"] = issuer.map(JSONValue.string)
        object["audience"] = audience.map(JSONValue.string)
        object["longestSeconds"] = .integer(longestSeconds)
        object["oneDevice"] = .bool(isForOneDevice)
        return .object(object)
    }

    /// Reads what ``json`` says.
    package init(json: JSONValue) {
        let object = json.object
        issuer = object?["issuer"]?.string
        audience = object?["audience"]?.string
        longestSeconds = object?["longestSeconds"]?.integer ?? Self.usualLongest
        isForOneDevice = object?["oneDevice"]?.bool ?? false
    }
}

/// A token that has proven a user: what tells it from others, and until when it is good.
package struct UsedProof: Sendable, Hashable {
    package var hash: SecretHash
    package var until: Instant

    package init(hash: SecretHash, until: Instant) {
        self.hash = hash
        self.until = until
    }
}
