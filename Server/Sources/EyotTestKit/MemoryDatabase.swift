import EyotDomain
import EyotSimulation

/// A ledger in memory with synchronous transactions. A failed transaction leaves nothing.
package final class MemoryDatabase: RewindableStore {
    private var ledger = MemoryLedger()
    private var kept = MemoryLedger()

    package init() {}

    package func keepCopy() { kept = ledger.copy() }

    package func goBack() { ledger = kept.copy() }

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
