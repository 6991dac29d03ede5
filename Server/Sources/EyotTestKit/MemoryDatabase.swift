import EyotDomain
import EyotSimulation

/// Values in memory with synchronous transactions: one that fails leaves nothing.
package final class MemoryDatabase: SimulationStore {
    private var ledger = MemoryLedger()

    package init() {}

    package func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result { try body(ledger) }

    package func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        let attempt = ledger.copy()
        attempt.woken = []
        let result = try body(attempt)
        ledger = attempt
        return result
    }
}
