import EyotCommands
import EyotDomain
import Synchronization

/// A cache of apps' keys and their apps. Reading them from the store for each call took more than a quarter of the cost
/// of an update.
///
/// Each change to a key or an app empties the cache. So a revoked key opens nothing once the revocation is answered,
/// and a second later at other nodes.
final class KnownKeys: Sendable {
    struct Known: Sendable {
        var key: APIKey
        var app: App
    }

    /// How many keys are cached. Beyond that an arbitrary one is dropped.
    static let limit = 10_000

    private struct State {
        /// The store's version when the entries were read.
        var version = 0
        var known: [SecretHash: Known] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter version: the store's current version.
    func find(_ hash: SecretHash, at version: Int) -> Known? {
        state.withLock { $0.version == version ? $0.known[hash] : nil }
    }

    /// - Parameter version: the store's version before the entry was read.
    func note(_ known: Known, at version: Int) {
        state.withLock { state in
            // An entry that was read before a change that another call has already seen is out of date.
            guard version >= state.version else { return }
            if version > state.version { state = State(version: version) }
            if state.known.count >= Self.limit, let any = state.known.keys.first { state.known[any] = nil }
            state.known[known.key.hash] = known
        }
    }
}
