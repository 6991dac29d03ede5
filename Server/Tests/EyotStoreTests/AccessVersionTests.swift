import EyotDomain
import EyotSQLite
import EyotTestKit
import Testing

@Suite("Changes of keys and apps")
struct AccessVersionTests {
    @Test func `Each is counted by the time it is answered, and neither reading nor other changes are`() async throws {
        let store = SQLiteStore(try SQLiteDatabase())
        func isCounted(_ change: @escaping @Sendable (any Ledger) throws -> Void) async throws -> Bool {
            let before = store.accessVersion
            try await store.write(change)
            return store.accessVersion != before
        }
        let start = Instant(second: 1)
        let app = try await store.write {
            try $0.insertApp(bundleID: "b", name: "n", publicKey: "p", at: start)
        }
        let key = try await store.write {
            try $0.insert(
                APIKey(app: app.id, name: "k", hash: SecretHash(bytes: [1]), hint: "h", createdAt: start))
        }
        #expect(store.accessVersion == 2)
        #expect(
            try await isCounted {
                var halted = app
                halted.haltedAt = start
                try $0.update(unrecorded: halted)
            })
        #expect(
            try await isCounted {
                var revoked = key
                revoked.revokedAt = start
                try $0.update(revoked)
            })
        #expect(try await isCounted { try $0.noteUse(ofAPIKey: key.id, at: start) })
        #expect(try await isCounted { try $0.removeAPIKey(key.id) })
        #expect(
            try await !isCounted {
                var activity = try $0.insertActivity(named: "a", in: app.id, generation: 1, type: "T", at: start)
                activity.dueAt = start
                try $0.update(activity)
            })
        #expect(try await !isCounted { _ = try $0.apiKeys(of: app.id) })
    }
}
