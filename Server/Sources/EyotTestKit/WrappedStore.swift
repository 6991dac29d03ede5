import EyotDomain

/// A store that changes some calls and passes the others to its base.
package protocol WrappedStore: Store {
    associatedtype Base: Store

    /// The store for all other calls.
    var base: Base { get }
}

extension WrappedStore {
    package var woken: AsyncStream<[ActivityID]> { base.woken }

    package var accessVersion: Int? { base.accessVersion }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await base.read(body) }

    package func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await base.search(of: app, for: purpose, body) }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result { try await base.write(body) }

    package var health: StoreHealth { base.health }

    package func check() async throws { try await base.check() }

    package func foldLog() async throws { try await base.foldLog() }
}
