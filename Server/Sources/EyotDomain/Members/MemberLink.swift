/// A link that works once. Its secret is in the link alone.
package struct MemberLink: Sendable, Hashable {
    /// What a link does.
    package enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// Sets the member's password, and signs it in.
        case password
        /// Signs the member in.
        case signIn
    }

    /// Seconds for which a link works at most, and if nothing else is asked.
    package static let longest = 86_400.0

    package var hash: SecretHash
    package var member: MemberID
    package var purpose: Purpose
    package var createdAt: Instant
    package var expiresAt: Instant

    package init(hash: SecretHash, member: MemberID, purpose: Purpose, createdAt: Instant, expiresAt: Instant) {
        self.hash = hash
        self.member = member
        self.purpose = purpose
        self.createdAt = createdAt
        self.expiresAt = min(expiresAt, createdAt + Self.longest)
    }

    package func isUsable(at now: Instant) -> Bool { now < expiresAt }
}
