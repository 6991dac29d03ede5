/// The claims of an OAuth client in a token that it has signed, read but not yet checked.
package struct ClientAssertion: Sendable, Hashable {
    /// The client's id.
    package var issuer: String
    package var subject: String?
    package var audience: String?
    /// UNIX seconds.
    package var expiresAt: Double
    package var issuedAt: Double?
    /// Whether it asks for a token that only some addresses may use.
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

/// A reader of assertions of OAuth clients, signed with ES384.
package protocol ClientAssertionVerifier: Sendable {
    /// Whether a text is a public key that a client may have.
    func isClientKey(_ text: String) -> Bool
    /// Reads the claims of an assertion; nil if the text is none.
    func assertion(_ text: String) -> ClientAssertion?
    /// Whether an assertion was signed with the private part of a client's key.
    func isSigned(_ assertion: String, by key: String) async -> Bool
}

extension NoIdentityVerifier: ClientAssertionVerifier {
    package func isClientKey(_ text: String) -> Bool { false }
    package func assertion(_ text: String) -> ClientAssertion? { nil }
    package func isSigned(_ assertion: String, by key: String) async -> Bool { false }
}
