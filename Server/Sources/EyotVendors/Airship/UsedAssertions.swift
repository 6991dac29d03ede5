import EyotDomain
import Synchronization

/// Assertions that have been exchanged for a token, so that whoever overhears one cannot exchange it again (RFC 7523,
/// 3).
///
/// Only signed ones come in, and each is forgotten when it has run out. Another process does not know them.
final class UsedAssertions: Sendable {
    /// Assertions that are remembered. Beyond them none is taken until the oldest has run out.
    private static let limit = 10_000

    /// When each runs out, by the hash of what is signed: a signature has two forms that are both good.
    private let used = Mutex<[Int: Instant]>([:])

    /// - Returns: whether it had not been used before.
    /// - Throws: `unavailable`.
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
