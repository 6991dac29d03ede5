import EyotContract
import EyotDomain

extension Activity: SQLRecord {
    static let table = SQLTable(
        "activities", key: "id", fixed: ["app", "name", "generation", "created_at"],
        changing: [
            "type", "type_declared", "version", "everyone", "everyone_as_of", "latest_as_of", "scoped_as_of", "alert",
            "urgent",
            "end_version",
            "ended_at", "starts_at", "ends_at", "dismisses_at_end", "pending_scopes", "halted_at", "canary",
            "next_ordinal", "due_at",
            "stamp",
            "tally", "is_public", "users", "passed_over", "lap_begun", "lap_ended",
            "first_end",
        ])

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(app), SQLValue(name), SQLValue(generation), SQLValue(createdAt), SQLValue(type),
            SQLValue(isTypeDeclared), SQLValue(version), SQLValue(common.state), SQLValue(common.asOf),
            SQLValue(latestAsOf),
            SQLValue(scopedAsOf), SQLValue(common.alert), SQLValue(common.urgent), SQLValue(end), SQLValue(endedAt),
            SQLValue(startsAt), SQLValue(endsAt),
            SQLValue(dismissesAtEnd),
            SQLValue(pendingScopes), SQLValue(haltedAt), SQLValue(canary?.json),
            SQLValue(nextOrdinal),
            SQLValue(dueAt), SQLValue(stamp),
            SQLValue(tally.text), SQLValue(isPublic.map { $0 ? 1 : 0 }),
            SQLValue(users.isEmpty ? nil : JSONValue.array(users.sorted().map(JSONValue.string))),
            SQLValue(Self.word(for: skippedEnvironments)), SQLValue(laps.begun), SQLValue(laps.ended),
            SQLValue(firstEnd),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = ActivityID(rawValue: try columns.number())
        let app = AppID(rawValue: try columns.number())
        let name = try columns.text()
        let generation = try columns.integer()
        let createdAt = try columns.moment()
        self.init(
            id: id, app: app, name: name, generation: generation, type: try columns.optionalText(),
            isTypeDeclared: try columns.flag(), createdAt: createdAt)
        version = try columns.integer()
        common.state = try columns.integer()
        common.asOf = try columns.optionalMoment()
        latestAsOf = try columns.optionalMoment()
        scopedAsOf = try columns.optionalMoment()
        common.alert = try columns.integer()
        common.urgent = try columns.integer()
        end = try columns.optionalInteger()
        endedAt = try columns.optionalMoment()
        startsAt = try columns.optionalMoment()
        endsAt = try columns.optionalMoment()
        dismissesAtEnd = try columns.flag()
        pendingScopes = try columns.integer()
        haltedAt = try columns.optionalMoment()
        canary = try columns.optionalJSON().map { try columns.canary($0) }
        nextOrdinal = try columns.integer()
        dueAt = try columns.optionalMoment()
        stamp = try columns.integer()
        tally = try columns.tally()
        isPublic = try columns.optionalInteger().map { $0 != 0 }
        users = Set(try columns.optionalJSON()?.array?.compactMap(\.string) ?? [])
        skippedEnvironments = Self.environments(try columns.optionalText())
        laps.begun = try columns.integer()
        laps.ended = try columns.integer()
        firstEnd = try columns.optionalInteger()
    }

    /// The word for two environments.
    private static let both = "both"

    private static func word(for environments: Set<PushEnvironment>) -> String? {
        environments.count > 1 ? both : environments.first?.rawValue
    }

    private static func environments(_ word: String?) -> Set<PushEnvironment> {
        word == both ? Set(PushEnvironment.allCases) : Set([word.flatMap(PushEnvironment.init)].compactMap(\.self))
    }

    /// The words of ``Activity/skippedEnvironments`` that name an environment in which the app is not paused any more.
    static func words(forPassedOverBut paused: Set<PushEnvironment>) -> [String] {
        let open = PushEnvironment.allCases.filter { !paused.contains($0) }
        return open.map(\.rawValue) + (open.isEmpty ? [] : [both])
    }

    /// The words of ``Activity/skippedEnvironments`` that name an environment.
    static func words(forPassedOverIn environment: PushEnvironment) -> [String] { [environment.rawValue, both] }
}
