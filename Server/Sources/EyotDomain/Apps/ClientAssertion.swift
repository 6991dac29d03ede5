/// What a client of OAuth says of itself in a token that it has signed: read, and not yet judged.
package struct ClientAssertion: Sendable, Hashable {
    /// The client's id.
    package var issuer: String
    package var subject: String?
    package var audience: String?
    /// UNIX seconds.
    package var expiresAt: Double
    package var issuedAt: Double?
    /// Whether it asks for a token that only some addresses may show.
    package var isForAddresses: Bool

    package init(
        issuer: String, subject: String?, audience: String?, expiresAt: Double, issuedAt: Double?, isForAddresses: Bool
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
        self.isForAddresses = isForAddresses
    }
}

/// Assertions of clients of OAuth, signed with ES384.
package protocol ClientAssertionVerifier: Sendable {
    /// Whether a text is a public key that clients may have.
    func isClientKey(_ text: String) -> Bool
    /// What an assertion says; nil where it is none.
    func assertion(_ text: String) -> ClientAssertion?
    /// Whether the private part of a client's key has signed it.
    func isSigned(_ assertion: String, by key: String) async -> Bool
}

extension NoIdentityVerifier: ClientAssertionVerifier {
    package func isClientKey(_ text: String) -> Bool { false }
    package func assertion(_ text: String) -> ClientAssertion? { nil }
    package func isSigned(_ assertion: String, by key: String) async -> Bool { false }
}
