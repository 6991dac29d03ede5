import EyotContract

/// A person as an OpenID provider has proven it.
package struct ProviderIdentity: Sendable, Hashable {
    package var account: ProviderAccount
    /// The e-mail address, if the provider says that it has verified it.
    package var email: String?

    package init(account: ProviderAccount, email: String?) {
        self.account = account
        self.email = email
    }
}

/// What an ID token must say to be believed (OpenID Connect Core 1.0, section 3.1.3.7).
package struct IDTokenTerms: Sendable, Hashable {
    package var issuer: String
    /// The client's id at the provider, which the audience must name.
    package var clientID: String
    /// The random text that this sign-in was begun with.
    package var nonce: String

    package init(issuer: String, clientID: String, nonce: String) {
        (self.issuer, self.clientID, self.nonce) = (issuer, clientID, nonce)
    }
}

/// The reason why an ID token is not believed.
package enum IDTokenFault: String, Error, Sendable, Hashable, CaseIterable {
    case malformed, algorithm, unknownKey, signature, issuer, audience, expired, notBefore, issuedAt, nonce, subject
}

/// The verification of ID tokens.
package protocol IDTokenVerifier: Sendable {
    /// The claims of a token that one of the provider's keys signed.
    ///
    /// - Parameter keys: The members of the provider's JSON Web Key Set.
    func claims(
        of token: String, keys: [JSONValue], on terms: IDTokenTerms, at now: Instant
    ) async throws(IDTokenFault) -> JSONObject
}

/// A call to the OpenID provider.
package struct ProviderCall: Sendable {
    package var url: String
    /// The fields of a form that is posted; nil for a call that reads.
    package var form: [(name: String, value: Secret)]?
    /// The value of `Authorization`; nil for none.
    package var authorization: Secret?
    /// Seconds that the call may take, from the look-up of the host to the last byte.
    package var seconds = longest

    /// Seconds that a call may take, and all calls of one sign-in together.
    package static let longest = 10.0

    package init(_ url: String, form: [(name: String, value: Secret)]? = nil, authorization: Secret? = nil) {
        self.url = url
        self.form = form
        self.authorization = authorization
    }
}

/// The calls to the OpenID provider. Redirects are not followed, and answers have a limit.
package protocol ProviderClient: Sendable {
    /// - Returns: The status and the body of the answer.
    func call(_ call: ProviderCall) async throws -> (status: Int, body: [UInt8])
}
