import EyotDomain
import Synchronization

/// Assertions that were exchanged for a token. They are remembered so that an intercepted one cannot be exchanged again
/// (RFC 7523, 3).
///
/// Only signed assertions are remembered, each until it expires. Another process does not know them.
final class UsedAssertions: Sendable {
    /// How many assertions are remembered. Beyond that none is accepted until the oldest expires.
    private static let limit = 10_000

    /// The expiry of each assertion, by the hash of the signed part. The signature is left out because it has two valid
    /// forms.
    private let used = Mutex<[Int: Instant]>([:])

    /// Marks an assertion as used.
    ///
    /// - Returns: whether it had not been used before.
    /// - Throws: `unavailable` if too many are remembered.
    func use(_ assertion: String, until end: Instant, at now: Instant) throws(EyotError) -> Bool {
        let signed = assertion[..<(assertion.lastIndex(of: ".") ?? assertion.endIndex)].hashValue
        return try used.withLock { used throws(EyotError) in
            guard used[signed].map({ $0 < now }) ?? true else { return false }
            if used.count >= Self.limit { used = used.filter { $0.value >= now } }
            guard used.count < Self.limit else {
                throw EyotError(.unavailable, "\(Self.limit) assertions were exchanged within an hour")
            }
            used[signed] = end
            return true
        }
    }
}
