import EyotDomain
import EyotTestKit
import Synchronization

/// The transactions of a store that have read.
final class Reads: Sendable {
    private let count = Mutex(0)

    func note() { count.withLock { $0 += 1 } }

    /// Since it was asked last.
    func take() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}

/// A store that counts its reads.
struct CountingStore: WrappedStore {
    let base: MemoryStore
    let reads: Reads

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        reads.note()
        return try await base.read(body)
    }
}
