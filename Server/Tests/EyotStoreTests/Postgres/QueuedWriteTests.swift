import EyotDomain
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

/// The answers to queued statements come with later ones, which may be those of another body.
@Suite("Queued writes on PostgreSQL", .timeLimit(.minutes(10)))
struct QueuedWriteTests {
    private enum Fault: CaseIterable {
        /// A row that must be changed is not there.
        case missingRow
        /// A row names an app that is not there.
        case constraint

        func write(_ ledger: any Ledger, _ known: App) throws {
            let none = AppID(rawValue: 1_000_000)
            switch self {
            case .missingRow:
                var app = known
                app.id = none
                try ledger.update(unrecorded: app)
            case .constraint: try ledger.put(TypeProfile(app: none, type: "T"))
            }
        }

        func isReason(of error: any Error) -> Bool {
            switch error as? StoreError {
            case .rowMissing: self == .missingRow
            case .constraint: self == .constraint
            default: false
            }
        }
    }

    @Test(arguments: Fault.allCases)
    private func `A write that fails late fails alone, among many in one transaction`(_ fault: Fault) async throws {
        let store = PostgresStore(try await PostgresDatabase(TestPostgres.shared.database()))
        let known = try await store.write {
            try $0.insertApp(bundleID: "known", name: "known", publicKey: "known", at: Instant(second: 0))
        }
        let count = 60
        let failures = try await withThrowingTaskGroup { group in
            for index in 0..<count {
                group.addTask { () -> Bool in
                    do {
                        try await store.write { ledger in
                            if index % 5 == 3 { return try fault.write(ledger, known) }
                            try ledger.put(TypeProfile(app: known.id, type: "T\(index)"))
                        }
                        return false
                    } catch {
                        #expect(fault.isReason(of: error), "\(index): \(error)")
                        #expect(index % 5 == 3)
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == count / 5)
        let kept = try await store.read { ledger in
            try (0..<count).count { try ledger.profile(of: "T\($0)", in: known.id) != nil }
        }
        #expect(kept == count - count / 5)
        await store.close()
    }

    @Test func `A missing row undoes the whole transaction of a command`() async throws {
        let database = try await PostgresDatabase(TestPostgres.shared.database())
        let known = try database.write {
            try $0.insertApp(bundleID: "known", name: "known", publicKey: "known", at: Instant(second: 0))
        }
        #expect(throws: StoreError.rowMissing(table: "apps")) {
            try database.write { ledger in
                try ledger.put(TypeProfile(app: known.id, type: "T"))
                try Fault.missingRow.write(ledger, known)
            }
        }
        #expect(try database.read { try $0.profile(of: "T", in: known.id) } == nil)
    }
}
