import EyotDomain
import HTTPConnections
import Synchronization

/// The bytes of request bodies that the server may hold at a time, for all calls together.
package final class BodyBudget: Sendable {
    private let limit: Int
    private let refusals: Refusals
    private let held = Mutex(0)

    /// - Parameter limit: in bytes; 0 means no limit.
    package init(limit: Int, refusals: Refusals = Refusals()) {
        self.limit = limit
        self.refusals = refusals
    }

    /// How many bytes are held now.
    var bytes: Int { held.withLock { $0 } }

    /// Reserves further bytes of a body.
    ///
    /// - Throws: `unavailable` if they do not fit. Then nothing more is reserved.
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
