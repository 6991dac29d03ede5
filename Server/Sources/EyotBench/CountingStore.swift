import EyotDomain
import Synchronization

/// A store that counts how often it is read and written.
final class CountingStore: Store {
    struct Counts: Sendable {
        var reads = 0
        var writes = 0
    }

    private let store: any Store
    private let counts = Mutex(Counts())

    init(_ store: any Store) { self.store = store }

    /// What was counted so far.
    var counted: Counts { counts.withLock { $0 } }

    var woken: AsyncStream<[ActivityID]> { store.woken }
    var accessVersion: Int? { store.accessVersion }
    var health: StoreHealth { store.health }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        counts.withLock { $0.reads += 1 }
        return try await store.read(body)
    }

    func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        counts.withLock { $0.reads += 1 }
        return try await store.search(of: app, for: purpose, body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        counts.withLock { $0.writes += 1 }
        return try await store.write(body)
    }

    func check() async throws { try await store.check() }
}
