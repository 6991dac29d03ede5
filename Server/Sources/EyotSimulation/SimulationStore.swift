import EyotDomain
import EyotSQLite

/// A store with synchronous transactions, so that a simulation decides what happens between them.
package protocol SimulationStore: AnyObject {
    /// Reads in one snapshot.
    func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result
    /// Writes in one transaction, all or nothing.
    func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result
}

extension SQLiteDatabase: SimulationStore {}
