import EyotContract
import EyotDomain

/// The transaction in which nodes agree on the provider token of an APNs key. The first one that needs a new token
/// signs it, and the others use it.
package struct AgreeOnToken: UseCase {
    /// Apple refuses older tokens.
    private static let lifetime = 3_600.0

    package let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// A token that a node has signed, or all nodes use.
    package struct Token: Sendable {
        package let text: Secret
        package let issuedAt: Instant

        package init(text: Secret, second: Int) { (self.text, issuedAt) = (text, Instant(second: second)) }
    }

    /// - Parameters:
    ///   - isUsable: Whether nodes may go on with a token.
    ///   - sign: Signs a new one. May be called several times.
    package func callAsFunction(
        of fingerprint: String, sealer: Sealer, isUsable: (Token) -> Bool, sign: () throws -> Token
    ) throws -> Token {
        // What does not open was sealed with a master key that is no longer given.
        if let shared = try ledger.sharedToken(of: fingerprint),
            let text = try? sealer.open(shared.sealed, for: .providerToken(of: fingerprint)),
            case let token = Token(text: text, second: shared.issuedAt.second), isUsable(token)
        {
            return token
        }
        let token = try sign()
        let sealed = try sealer.seal(token.text, for: .providerToken(of: fingerprint))
        try ledger.removeSharedTokens(issuedBefore: now - Self.lifetime)
        try ledger.put(SharedToken(fingerprint: fingerprint, issuedAt: token.issuedAt, sealed: sealed))
        return token
    }
}
