import EyotDomain
import EyotStore
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite

@Suite("Indices")
struct IndexTests {
    /// What may be read from end to end: apps, which are few, and indices that hold nothing but what is asked for.
    private static func mayBeScanned(_ step: String, in statement: String) -> Bool {
        step.hasSuffix("INDEX replicas_with_unanswered_start")
            || (statement.contains("FROM apps") && !statement.contains("JOIN")) || step == "SCAN CONSTANT ROW"
    }

    /// Steps that cost more the more there is, though what is asked for stays the same.
    private static func isCostly(_ step: String, in statement: String) -> Bool {
        if step.hasPrefix("SCAN") { return !mayBeScanned(step, in: statement) }
        // The versions of an app are few, whatever audience they are looked for in.
        if step == "USE TEMP B-TREE FOR DISTINCT" {
            return !statement.hasSuffix("LIMIT ?3") || !statement.contains("app_version")
        }
        if step.hasPrefix("USE TEMP B-TREE") { return !step.contains("RIGHT PART") }
        // Few replicas are dead, and the activity may have a million others.
        if statement.contains("phase = 'dead'"), step.hasSuffix("PRIMARY KEY (activity=? AND ordinal>?)") {
            return true
        }
        // A page of the ring has a thousand members, and few others.
        if statement.contains("joined = 0 AND"), step.hasSuffix("PRIMARY KEY (activity=? AND ordinal>? AND ordinal<?)")
        {
            return true
        }
        // They are a thousand at most. And whether a build still has a card is asked where something would not decode, by reading.
        if statement.contains("activity_builds") || statement.contains("d.app_version = ?2") { return false }
        // All replicas of an activity, of which there may be a million, or all of its pages. The last one is found at once, and
        // the first few in their order are, too.
        return step.hasSuffix("USING PRIMARY KEY (activity=?)") && !statement.contains("MAX(")
            && !(statement.contains("ORDER BY") && statement.contains("LIMIT"))
    }

    @Test("No statement reads a table from end to end, or sorts all that it has read", arguments: LedgerCheck.all)
    func findsRowsByIndex(_ check: LedgerCheck) throws {
        let plans = try SQLiteDatabase().writer.write { database in
            let connection = try PlanningConnection(database)
            try check.run(SQLLedger(connection))
            return connection.plans
        }
        #expect(!plans.isEmpty)
        for (statement, plan) in plans {
            for step in plan { #expect(!Self.isCostly(step, in: statement), "\(step): \(statement)") }
        }
    }

    @Test func `A statement without an index is found out`() throws {
        try SQLiteDatabase().writer.write { database in
            let connection = try PlanningConnection(database)
            let statement = SQLStatement("SELECT id FROM devices WHERE app_version = ?1 ORDER BY seen_at")
            _ = try connection.rows(statement, [.text("1")]) { try $0.number() }
            let costly = connection.plans[statement.text]?.filter { Self.isCostly($0, in: statement.text) }
            #expect(costly?.count == 2)
        }
    }
}

/// Asks the database how it goes about each statement, before it does.
private final class PlanningConnection: SQLConnection {
    private let base: GRDBConnection
    /// Has the same tables, and no foreign keys: the plans would show how those are kept, too.
    private let planner: DatabaseQueue
    private(set) var plans: [String: [String]] = [:]

    init(_ database: Database) throws {
        base = GRDBConnection(database)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        planner = try DatabaseQueue(configuration: configuration)
        try planner.write { try Schema.migrate(GRDBConnection($0), dialect: .sqlite) }
    }

    func rows<Result>(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ read: (inout SQLColumns) throws -> Result
    ) throws -> [Result] {
        try plan(statement)
        return try base.rows(statement, arguments, read)
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        try plan(statement)
        try base.forEachRow(statement, arguments, numbers: numbers, body)
    }

    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        try plan(statement)
        return try base.execute(statement, arguments)
    }

    private func plan(_ statement: SQLStatement) throws {
        guard plans[statement.text] == nil else { return }
        plans[statement.text] = try planner.read { database in
            let explain = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement.text)")
            explain.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(explain).map { $0["detail"] }
        }
    }
}
