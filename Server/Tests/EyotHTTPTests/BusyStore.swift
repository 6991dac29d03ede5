import EyotDomain
import EyotTestKit

/// A store that can be set to have a full queue for one write.
final class BusyStore: WrappedStore {
    let base: MemoryStore
    private let isBusy = Switch()

    init(_ base: MemoryStore) { self.base = base }

    func refuseNext() { isBusy.isOn = true }

    func write<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        guard !isBusy.isOn else {
            isBusy.isOn = false
            throw EyotError(.unavailable, "8 writes are already waiting")
        }
        return try await base.write(body)
    }
}
