import EyotDomain
import Synchronization

/// A store of values in memory. A transaction sees the writes of committed ones, and a failed one leaves nothing.
package actor MemoryStore: Store {
    private var ledger: MemoryLedger
    private let hints: AsyncStream<[ActivityID]>.Continuation
    private var failure: (any Error)?
    private nonisolated let changes = Atomic(0)

    package nonisolated let woken: AsyncStream<[ActivityID]>

    /// Every commit counts as a change of a key.
    package nonisolated var accessVersion: Int? { changes.load(ordering: .sequentiallyConsistent) }

    /// The number of committed transactions, for tests that nothing changed.
    private(set) package var commits = 0

    package init(_ ledger: sending MemoryLedger = MemoryLedger()) {
        self.ledger = ledger
        (woken, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        // Reads a copy, so that a body that writes by mistake changes nothing.
        try body(ledger.copy())
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        let attempt = ledger.copy()
        (attempt.woken, attempt.counted) = ([], CountChanges())
        let result = try body(attempt)
        try attempt.storeCounts()
        if !attempt.woken.isEmpty { hints.yield(attempt.woken.sorted { $0.rawValue < $1.rawValue }) }
        ledger = attempt
        changes.add(1, ordering: .sequentiallyConsistent)
        commits += 1
        return result
    }

    package func check() async throws {
        if let failure { throw failure }
    }

    /// Makes ``check()`` fail from now on, or succeed again.
    package func fail(with error: (any Error)?) { failure = error }
}
