import EyotCommands
import EyotDomain
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite
@testable import EyotStore

/// What an app leaves behind in the tables, whichever there are.
@Suite("Removal of an app", .timeLimit(.minutes(10)))
struct RemovalTests {
    @Test func `Of no table is anything left that belongs to the app, and the other app keeps its rows`() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { database in
            let tables = try ReadableRows.fill(database)
            #expect(try ReadableRows.counts(tables, database).values.allSatisfy { $0 == 2 })
            let ledger = SQLLedger(GRDBConnection(database))
            let (app, start) = (AppID(rawValue: 1), Instant(microseconds: 1_700_000_000_000_000))
            try RemoveApp(Transaction(ledger, at: start))(app, leavesCards: true)
            let removed = try #require(try ledger.app(app))
            while try RemoveApp(Transaction(ledger, at: start + RemoveApp.patience)).step(removed) {}
            let left = try ReadableRows.counts(tables, database).filter { $0.value != 1 }
            #expect(left == [:])
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").filter { $0["parent"] == "apps" } == [])
        }
    }
}
