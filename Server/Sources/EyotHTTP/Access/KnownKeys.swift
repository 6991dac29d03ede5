import EyotCommands
import EyotDomain
import Synchronization

/// Keys of apps that calls were made with, and their apps, as they stand in the store: to read them there for each call took more than a
/// quarter of what an update cost the server. Whatever changes a key or an app makes all of them forgotten, so that one that is revoked opens nothing
/// from the moment on at which that is answered.
final class KnownKeys: Sendable {
    struct Known: Sendable {
        var key: APIKey
        var app: App
    }

    /// Keys that are known at a time. Beyond them any makes room.
    static let limit = 10_000

    private struct State {
        /// Of the store, when what is known was read.
        var version = 0
        var known: [SecretHash: Known] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter version: the store's, as it stands.
    func find(_ hash: SecretHash, at version: Int) -> Known? {
        state.withLock { $0.version == version ? $0.known[hash] : nil }
    }

    /// - Parameter version: the store's before it was read.
    func note(_ known: Known, at version: Int) {
        state.withLock { state in
            // What was read before a change that another call has seen is out of date.
            guard version >= state.version else { return }
            if version > state.version { state = State(version: version) }
            if state.known.count >= Self.limit, let any = state.known.keys.first { state.known[any] = nil }
            state.known[known.key.hash] = known
        }
    }
}
