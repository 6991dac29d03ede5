import EyotDomain
import HTTPConnections
import Synchronization

/// The bytes of bodies that the server holds at a time, of all calls together.
package final class BodyBudget: Sendable {
    private let limit: Int
    private let refusals: Refusals
    private let held = Mutex(0)

    /// - Parameter limit: in bytes; 0 is without limit.
    package init(limit: Int, refusals: Refusals = Refusals()) {
        self.limit = limit
        self.refusals = refusals
    }

    /// Bytes that are held now.
    var bytes: Int { held.withLock { $0 } }

    /// Takes further bytes of a body.
    ///
    /// - Throws: `unavailable` if they do not fit. Then nothing more is held.
    func reserve(_ bytes: Int) throws(EyotError) {
        let fits = held.withLock { held in
            guard limit == 0 || held + bytes <= limit else { return false }
            held += bytes
            return true
        }
        guard !fits else { return }
        refusals.note(.bodyBytes)
        throw Refusals.Kind.bodyBytes.error
    }

    func release(_ bytes: Int) { held.withLock { $0 -= bytes } }
}
