import EyotContract

/// An app's terms for the tokens that prove its users, besides the signature.
package struct ProofTerms: Sendable, Hashable {
    /// The required `iss`; nil requires none.
    package var issuer: String?
    /// The value that `aud` has to be or to contain; nil requires none.
    package var audience: String?
    /// The most seconds by which `exp` may be ahead.
    package var longestSeconds = ProofTerms.usualLongest
    /// Whether a token that one phone has shown proves nothing on another. If false, such a token is accepted, counted
    /// and listed.
    package var isForOneDevice = false

    /// A year. A token that is good for longer is a password.
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

    /// Reads the form of ``json``.
    package init(json: JSONValue) {
        let object = json.object
        issuer = object?["issuer"]?.string
        audience = object?["audience"]?.string
        longestSeconds = object?["longestSeconds"]?.integer ?? Self.usualLongest
        isForOneDevice = object?["oneDevice"]?.bool ?? false
    }
}

/// A token that has proven a user: its hash, and until when it is good.
package struct UsedProof: Sendable, Hashable {
    package var hash: SecretHash
    package var until: Instant

    package init(hash: SecretHash, until: Instant) {
        self.hash = hash
        self.until = until
    }
}
