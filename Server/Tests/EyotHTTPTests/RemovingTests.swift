import EyotDomain
import EyotTestKit
import HTTPTypes
import Synchronization
import Testing

@testable import EyotHTTP

@Suite("Removing")
struct RemovingTests {
    private static let paths = AuthorisationTests.routes
        .filter { $0.method == .delete && !$0.path.contains("{bundleID}") }.map(\.path)

    @Test(arguments: paths) func `What is not there is answered without a transaction that writes`(
        path: String
    ) async throws {
        let writes = Writes()
        let watched = { @Sendable (store: MemoryStore) in WatchedStore(base: store, writes: writes) }
        try await Rig.run(wrapping: watched) { rig in
            writes.count.withLock { $0 = 0 }
            let named = path.replacing(/\{\w+\}/, with: "99")
            let reply = try await rig.call(.delete, named)
            #expect(reply.status == 404, "\(reply.text)")
            #expect(reply.code != "routeUnknown")
            #expect(writes.count.withLock { $0 } == 0)
        }
    }
}

private final class Writes: Sendable {
    let count = Mutex(0)
}

/// A store that counts the transactions that may write.
private struct WatchedStore: WrappedStore {
    let base: MemoryStore
    let writes: Writes

    func write<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        writes.count.withLock { $0 += 1 }
        return try await base.write(body)
    }
}
