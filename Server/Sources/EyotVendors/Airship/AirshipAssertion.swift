import EyotDomain
import EyotHTTP

/// The check of a client's assertion: a token that the client signs with ES384. It names the client and the app key
/// that it asks for.
struct AirshipAssertion {
    /// The longest life of an assertion, in seconds. Airship's clients make them for a minute.
    private static let longest = 3_600.0
    /// How many seconds the signer's clock may differ from the server's.
    private static let skew = 60.0

    let backend: Backend
    let used: UsedAssertions

    /// Returns the key that has the public key of the signature.
    ///
    /// - Throws: OAuth's refusals, and `routeUnknown` if this API has no key at all.
    func key(_ text: String, at now: Instant) async throws -> APIKey {
        guard let assertion = backend.identities.assertion(text) else {
            throw AirshipTokens.refusal("invalid_request", "the assertion is no token that says iss and exp")
        }
        let keys = try await backend.store.read { ledger in
            guard try ledger.hasKeys(of: .airship) else {
                throw EyotError(.routeUnknown, "the API of airship is off, because no key for it exists")
            }
            return try ledger.apiKeys(of: .airship, identifier: assertion.issuer, limit: APIKey.clientLimit)
        }
        for key in keys where key.isUsable(at: now) {
            guard let own = key.publicKey, await backend.identities.isSigned(text, by: own) else { continue }
            try check(assertion, at: now)
            let end = Instant(second: 0) + assertion.expiresAt + Self.skew
            guard try used.use(text, until: end, at: now) else {
                throw AirshipTokens.refusal("invalid_grant", "the assertion has been used: make one for each token")
            }
            return key
        }
        throw AirshipTokens.refusal(
            "invalid_client", "no public key that iss names has signed the assertion", .unauthorized)
    }

    private func check(_ assertion: ClientAssertion, at now: Instant) throws(Refusal) {
        let seconds = now.seconds(since: Instant(second: 0))
        guard seconds < assertion.expiresAt + Self.skew, assertion.expiresAt <= seconds + Self.longest + Self.skew
        else { throw AirshipTokens.refusal("invalid_grant", "exp must lie ahead, and at most an hour") }
        if let beginning = assertion.issuedAt, beginning > seconds + Self.skew {
            throw AirshipTokens.refusal("invalid_grant", "iat lies ahead")
        }
        guard assertion.subject == AirshipTokens.subject(assertion.issuer) else {
            throw AirshipTokens.refusal(
                "invalid_grant", "sub must be app: and the app key, which is the client's id, too")
        }
        guard assertion.audience?.hasSuffix("/token") == true else {
            throw AirshipTokens.refusal("invalid_grant", "aud must be the address of /token")
        }
        guard !assertion.isForAddresses else {
            throw AirshipTokens.refusal(
                "invalid_request", "tokens for some addresses alone are not made here: leave ipaddr out")
        }
    }
}
