import EyotContract
import EyotDomain
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite
@testable import EyotStore

/// Events in a database that is older than the counts of them.
@Suite("Counts of an older database")
struct EventCountTests {
    @Test func `Events that were recorded before are counted by hour, kind and reason`() throws {
        let queue = try DatabaseQueue()
        let rows = [
            (0, "card.ended", "NULL"), (3_599, "card.ended", "NULL"), (3_600, "card.ended", "'why'"),
            (3_601, "token.start.set", "'Match'"), (3_602, "token.start.set", "'Other'"),
        ]
        try queue.write { database in
            try Schema.migrate(
                GRDBConnection(database), dialect: .sqlite, through: Array(Schema.migrations.prefix(11)))
            for (second, kind, reason) in rows {
                try database.execute(
                    sql: """
                        INSERT INTO events (app, at, kind, version, reason) \
                        VALUES (1, \(second)000000, '\(kind)', 0, \(reason))
                        """)
            }
            try Schema.migrate(GRDBConnection(database), dialect: .sqlite)
        }
        let found = try queue.read {
            try SQLLedger(GRDBConnection($0)).counts(
                in: CountRange(
                    app: AppID(rawValue: 1), activity: .ofApp, width: CountSpan.hour, seconds: 0..<9_999), limit: 9)
        }
        let words = found.map { "\($0.key.span.second) \($0.key.counter.name) \($0.key.detail): \($0.value)" }
        #expect(words == ["0 card.ended : 2", "3600 card.ended why: 1", "3600 token.start.set : 2"])
    }
}
