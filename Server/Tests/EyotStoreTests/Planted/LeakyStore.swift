import EyotDomain
import EyotSQLite

/// A store with the fault that the suite has to find: what a body wrote before it threw stays.
final class LeakyStore: Store {
    private let honest: SQLiteStore

    init(_ database: SQLiteDatabase) { honest = SQLiteStore(database) }

    var woken: AsyncStream<[ActivityID]> { honest.woken }

    func check() async throws { try await honest.check() }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Value) async throws -> Value {
        try await honest.read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Value) async throws -> Value {
        try await honest.write { ledger in Result { try body(ledger) } }.get()
    }
}
