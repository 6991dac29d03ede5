import EyotDomain
import EyotSQLite
import EyotTestKit

/// A store with the fault that the suite has to find: what a body wrote before it threw stays.
final class LeakyStore: WrappedStore {
    let base: SQLiteStore

    init(_ database: SQLiteDatabase) { base = SQLiteStore(database) }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Value) async throws -> Value {
        try await base.write { ledger in Result { try body(ledger) } }.get()
    }
}
