import EyotContract
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
        step.hasSuffix("INDEX replicas_with_unanswered_start") || step.contains("CONSTANT ROW")
            // Pages on their way are few, and each has one row.
            || step == "SCAN alert_marks"
            // Rows that come with the statement.
            || (step == "SCAN series" && statement.contains("FROM (VALUES"))
            || (statement.contains("FROM apps") && !statement.contains("JOIN"))
    }

    /// Steps that cost more the more there is, though what is asked for stays the same.
    ///
    /// A statement may have thousands of characters, so the short step is looked at first.
    private static func isCostly(_ step: String, in statement: String) -> Bool {
        if step.hasPrefix("SCAN") { return !mayBeScanned(step, in: statement) }
        // The versions of an app are few, whatever audience they are looked for in.
        if step == "USE TEMP B-TREE FOR DISTINCT" {
            return !(statement.hasSuffix("LIMIT ?3") || statement.hasSuffix("LIMIT ?2"))
                || !statement.contains("app_version")
        }
        if step.hasPrefix("USE TEMP B-TREE") { return !step.contains("RIGHT PART") }
        // What is asked of one person: an app may have millions.
        if step.hasSuffix("PRIMARY KEY (app=?)"), statement.contains("external_id = ?") { return true }
        // Few replicas are dead, and the activity may have a million others.
        if step.hasSuffix("PRIMARY KEY (activity=? AND ordinal>?)"), statement.contains("phase = 'dead'") {
            return true
        }
        // A page of the ring has a thousand members, and few others.
        if step.hasSuffix("PRIMARY KEY (activity=? AND ordinal>? AND ordinal<?)"), statement.contains("joined = 0 AND")
        {
            return true
        }
        // All replicas of an activity, up to a million, or all of its pages.
        guard step.hasSuffix("USING PRIMARY KEY (activity=?)") else { return false }
        // Builds are a thousand at most. A statement reads whether a build still has a card only if a state would not
        // decode.
        if statement.contains("activity_builds") || statement.contains("d.app_version = ?2") { return false }
        // The last one and the first few in order are found at once. The deletion of an activity deletes all its pages.
        return !statement.contains("MAX(")
            && !(statement.contains("ORDER BY") && statement.contains("LIMIT"))
            && !["DELETE FROM ring_pages ", "DELETE FROM updated_cards ", "DELETE FROM alert_marks "]
                .contains { statement.hasPrefix($0) }
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

    /// What the members of an audience are found by: a part of the first step of each statement that is made for it.
    private static let leaders: [(Audience, [String])] = [
        (.tag("fans"), ["l USING PRIMARY KEY (app=? AND tag=? AND tag_group=? AND device>?)"]),
        (
            .and([.osAtLeast(OSVersion(17)), .tag("fans", group: "sport")]),
            ["l USING PRIMARY KEY (app=? AND tag=? AND tag_group=? AND device>?)"]
        ),
        (
            .attribute(AttributeRule("city", of: .user, .equals("Ankara"))),
            ["attribute_values_by_value (app=? AND name=? AND kind=? AND value=? AND device>?)"]
        ),
        (
            .attribute(AttributeRule("city", .equals("Ankara"))),
            ["attribute_values_by_value (app=? AND name=? AND kind=? AND value=? AND device>?)"]
        ),
        (.users(["u1", "u2"]), ["devices_by_user (app=? AND external_id=?)", "=?)"]),
        (
            .and([.tag("fans"), .or([.user("u1"), .user("u2")])]), ["devices_by_user (app=? AND external_id=?)", "=?)"]
        ),
        (.devices([DeviceID(rawValue: 1), DeviceID(rawValue: 2)]), ["=?)"]),
        (.alias(UserAlias(label: "crm", name: "1")), ["user_aliases_2 (app=? AND label=? AND name=?)", "=?)"]),
        (
            .or([.tag("fans"), .user("u1")]),
            [
                "devices_by_user (app=? AND external_id=?)",
                "device_tags USING PRIMARY KEY (app=? AND tag=? AND tag_group=? AND device>?)", "=?)",
            ]
        ),
    ]

    @Test("What is selective leads the plan", arguments: leaders)
    func leads(_ audience: Audience, _ steps: [String]) throws {
        try SQLiteDatabase().writer.write { database in
            let connection = try PlanningConnection(database)
            let ledger = SQLLedger(connection)
            let app = try ledger.insertApp(bundleID: "a", name: "a", publicKey: "k", at: Instant(second: 1)).id
            for user in ["u1", "u2"] {
                try ledger.put(
                    User(app: app, externalID: user, tags: ["fans"], aliases: user == "u1" ? ["crm": "1"] : [:]))
                _ = try ledger.insert(.phone(user, in: app, user: user, at: Instant(second: 1)))
            }
            connection.forgetPlans()
            _ = try ledger.devices(in: audience, of: app, after: DeviceID(rawValue: 0), limit: 10)
            #expect(connection.order.count == steps.count)
            for (plan, step) in zip(connection.order, steps) {
                #expect(plan.first?.hasSuffix(step) == true, "\(plan)")
                #expect(!plan.contains { $0.contains("id>?") && !$0.contains("device>?") }, "\(plan)")
            }
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
    /// The plans in the order in which their statements came first.
    private(set) var order: [[String]] = []

    func forgetPlans() { (plans, order) = ([:], []) }

    init(_ database: Database) throws {
        base = GRDBConnection(database)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        planner = try DatabaseQueue(configuration: configuration)
        try planner.write { try Schema.migrate(GRDBConnection($0), dialect: .sqlite) }
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws {
        try plan(statement)
        try base.forEachRow(statement, arguments, body)
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        try plan(statement)
        try base.forEachRow(statement, arguments, numbers: numbers, body)
    }

    var eventNumbers: EventNumbers { base.eventNumbers }

    func search(_ body: () throws -> Void) throws { try body() }

    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        try plan(statement)
        return try base.execute(statement, arguments)
    }

    private func plan(_ statement: SQLStatement) throws {
        guard plans[statement.text] == nil else { return }
        let plan = try planner.read { database in
            let explain = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement.text)")
            explain.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(explain).map { $0["detail"] as String }
        }
        plans[statement.text] = plan
        order.append(plan)
    }
}
