import EyotDomain
import Synchronization

/// The id of the database's history for answers to phones (R17), read once until the store's access version changes.
final class KnownHistory: Sendable {
    private struct State {
        /// The store's version when the id was read; nil if none was known.
        var version: Int?
        var id: String?
    }

    private let state = Mutex(State())

    /// Returns the id. An answer that the store cannot be asked for has the newest known one.
    func id(in store: any Store) async -> String? {
        // Read before the store is read, so that a change in between makes the id out of date.
        let version = store.accessVersion
        let known = state.withLock(\.self)
        if let version, known.version == version { return known.id }
        let found: History?
        // An outage is reported by the answer itself.
        do { found = try await store.look { try $0.history() } } catch { return known.id }
        state.withLock { $0 = State(version: version, id: found?.id) }
        return found?.id
    }
}
