import EyotDomain
import EyotSimulation

/// A ledger in memory with synchronous transactions. A failed transaction leaves nothing.
package final class MemoryDatabase: SimulationStore {
    private var ledger = MemoryLedger()

    package init() {}

    package func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result { try body(ledger) }

    package func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        let attempt = ledger.copy()
        (attempt.woken, attempt.counted) = ([], CountChanges())
        let result = try body(attempt)
        try attempt.storeCounts()
        ledger = attempt
        return result
    }
}
