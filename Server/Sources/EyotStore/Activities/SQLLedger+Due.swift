import EyotContract
import EyotDomain

/// Due activities are read app by app. So activities of a paused or halted app, or halted ones, are not even read,
/// however many they are (R10). The index skips those of a halted type.
private enum Statements {
    static let appsThatSend = App.table.select(
        """
        WHERE r.halted_at IS NULL AND (r.sandbox_pause_reason IS NULL OR r.production_pause_reason IS NULL) ORDER BY r.id
        """)

    static let pausedApps = App.table.select(
        "WHERE r.sandbox_pause_reason IS NOT NULL OR r.production_pause_reason IS NOT NULL ORDER BY r.id")

    static func recalled(haltedTypes count: Int) -> SQLStatement {
        shaped(
            """
            SELECT id FROM activities WHERE app = ?1 AND passed_over = ?2 AND halted_at IS NULL \
            AND \(isIn(shards: 4, "id"))\(without(count)) ORDER BY id LIMIT ?3
            """, by: count)
    }

    /// The columns with moments: of what is woken, and of rests, see ``EyotDomain/Activity/restsUntil``. An activity of
    /// both is due by the first, which is earlier.
    static let moments = ["due_at", "rests_until"]

    static func due(by moment: String, haltedTypes count: Int) -> SQLStatement {
        shaped(
            """
            SELECT \(moment), id FROM activities WHERE app = ?1 AND \(moment) <= ?2 AND halted_at IS NULL \
            AND \(isIn(shards: 4, "id"))\(without(count)) ORDER BY \(moment), id LIMIT ?3
            """, by: count)
    }

    static let between = SQLStatement(
        """
        SELECT moment, id FROM (SELECT due_at AS moment, id FROM activities \
        WHERE app = ?1 AND due_at > ?2 AND due_at <= ?3 AND halted_at IS NULL \
        UNION ALL SELECT rests_until, id FROM activities \
        WHERE app = ?1 AND rests_until > ?2 AND rests_until <= ?3 AND due_at IS NULL AND halted_at IS NULL) AS found \
        ORDER BY moment, id LIMIT ?4
        """)

    static func next(by moment: String, haltedTypes count: Int) -> SQLStatement {
        shaped(
            """
            SELECT \(moment) FROM activities WHERE app = ?1 AND \(moment) > ?2 AND halted_at IS NULL \
            AND \(isIn(shards: 4, "id"))\(without(count)) ORDER BY \(moment) LIMIT ?3
            """, by: count)
    }

    private static func without(_ count: Int) -> String {
        guard count > 0 else { return "" }
        return " AND (type IS NULL OR type NOT IN (\((0..<count).map { "?\($0 + 5)" }.joined(separator: ", "))))"
    }

    private static func shaped(_ text: String, by count: Int) -> SQLStatement {
        count == 0 ? SQLStatement(text) : SQLStatement(composed: text)
    }
}

extension SQLLedger {
    package func dueActivities(at now: Instant, limit: Int, in shards: Shards) throws -> [DueActivity] {
        let found = try appsThatSend().map { app in
            let due = try Statements.moments.flatMap { moment in
                let statement = Statements.due(by: moment, haltedTypes: app.haltedTypes.count)
                return try connection.rows(statement, arguments(app, SQLValue(now), limit, shards)) { columns in
                    let since = try columns.moment()
                    return DueActivity(id: ActivityID(rawValue: try columns.number()), app: app.id, since: since)
                }
            }
            return due.soonestOfEach.joined(
                with: try recalledActivities(of: app, at: now, limit: limit, in: shards), limit: limit)
        }
        return DueActivity.byTurns(found, limit: limit)
    }

    /// Activities with replicas that a pause skipped in an environment in which the app is not paused any more.
    private func recalledActivities(
        of app: App, at now: Instant, limit: Int, in shards: Shards
    ) throws -> [DueActivity] {
        let statement = Statements.recalled(haltedTypes: app.haltedTypes.count)
        let found = try Activity.words(forPassedOverBut: Set(app.pauses.keys)).flatMap { word in
            try connection.rows(statement, arguments(app, SQLValue(word), limit, shards)) {
                DueActivity(id: ActivityID(rawValue: try $0.number()), app: app.id, since: now)
            }
        }
        return found.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    package func nextDue(after now: Instant, in shards: Shards) throws -> Instant? {
        let moments = try appsThatSend().flatMap { app in
            try Statements.moments.flatMap { moment in
                let statement = Statements.next(by: moment, haltedTypes: app.haltedTypes.count)
                return try connection.rows(statement, arguments(app, SQLValue(now), 1, shards)) { try $0.moment() }
            }
        }
        return moments.min()
    }

    package func activitiesDue(
        of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) throws -> [ActivityID] {
        let arguments = [SQLValue(app), SQLValue(now), SQLValue(moment), SQLValue(limit)]
        return try connection.rows(Statements.between, arguments) { columns in
            _ = try columns.moment()
            return ActivityID(rawValue: try columns.number())
        }
    }

    package func activitiesPassingOver(
        _ environment: PushEnvironment, of app: AppID, limit: Int
    ) throws -> [ActivityID] {
        try Activity.words(forPassedOverIn: environment).flatMap { word in
            try connection.rows(
                Statements.recalled(haltedTypes: 0), [SQLValue(app), SQLValue(word), SQLValue(limit), SQLValue(.all)]
            ) { ActivityID(rawValue: try $0.number()) }
        }
    }

    package func pausedApps() throws -> [App] { try all(Statements.pausedApps) }

    /// Apps that are neither halted nor paused in all environments.
    func appsThatSend() throws -> [App] { try all(Statements.appsThatSend) }

    private func arguments(_ app: App, _ second: SQLValue, _ limit: Int, _ shards: Shards) -> [SQLValue] {
        [SQLValue(app.id), second, SQLValue(limit), SQLValue(shards)]
            + app.haltedTypes.keys.sorted().map { SQLValue($0) }
    }
}
