import EyotContract
import EyotDomain

extension Activity: SQLRecord {
    static let table = SQLTable(
        "activities", key: "id", fixed: ["app", "name", "generation", "created_at"],
        changing: typeColumns + plainColumns + [dueColumn] + listedColumns)

    /// Columns of indices for lists, which change seldom, like the last ones.
    private static let typeColumns = ["type", "type_declared"]
    /// Columns without an index of changing rows.
    private static let plainColumns = [
        "version", "everyone", "everyone_as_of", "latest_as_of", "scoped_as_of", "alert", "urgent", "end_version",
        "ends_at", "dismisses_at_end", "pending_scopes", "canary", "stamp", "tally", "is_public", "users", "lap_begun",
        "lap_ended", "first_end", "stale_at",
    ]
    private static let dueColumn = "due_at"
    private static let listedColumns = [
        "ended_at", "starts_at", "halted_at", "next_ordinal", "passed_over", "rests_until",
    ]

    /// Changes a row without its listed columns. SQLite writes the entry of each index with a named column
    /// again, also if its value is the same, and each is on a page of its own.
    static let updatePlain = table.update(plainColumns, adding: [])
    static let updateDue = table.update(plainColumns + [dueColumn], adding: [])

    /// The values of ``updatePlain``.
    var plainValues: [SQLValue] { unlistedValues(Self.plainColumns.count) }
    /// The values of ``updateDue``.
    var dueValues: [SQLValue] { unlistedValues(Self.plainColumns.count + 1) }

    private func unlistedValues(_ count: Int) -> [SQLValue] {
        var values = changingValues.prefix(1 + Self.typeColumns.count + count)
        values.removeSubrange(1...Self.typeColumns.count)
        return Array(values)
    }

    /// Whether no column of an index for lists has another value.
    func isListed(as other: Activity) -> Bool {
        type == other.type && isTypeDeclared == other.isTypeDeclared && endedAt == other.endedAt
            && startsAt == other.startsAt && haltedAt == other.haltedAt && nextOrdinal == other.nextOrdinal
            && skippedEnvironments == other.skippedEnvironments && keptRest == other.keptRest
    }

    /// The moment of its entry in the index of rests. The entry stays while work wakes the activity, and its own moment
    /// is null again when it comes to rest until the same moment. So a call writes no page of that index.
    private var keptRest: Instant? { dueAt == nil ? nil : restsUntil }

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(app), SQLValue(name), SQLValue(generation), SQLValue(createdAt), SQLValue(type),
            SQLValue(isTypeDeclared), SQLValue(version), SQLValue(common.state), SQLValue(common.asOf),
            SQLValue(latestAsOf),
            SQLValue(scopedAsOf), SQLValue(common.alert), SQLValue(common.urgent), SQLValue(end), SQLValue(endsAt),
            SQLValue(dismissesAtEnd), SQLValue(pendingScopes), SQLValue(canary?.json), SQLValue(stamp),
            SQLValue(tally.text), SQLValue(isPublic.map { $0 ? 1 : 0 }),
            SQLValue(users.isEmpty ? nil : JSONValue.array(users.sorted().map(JSONValue.string))),
            SQLValue(laps.begun), SQLValue(laps.ended), SQLValue(firstEnd),
            SQLValue(common.staleAt),
            SQLValue(dueAt == keptRest ? nil : dueAt),
            SQLValue(endedAt), SQLValue(startsAt), SQLValue(haltedAt), SQLValue(nextOrdinal),
            SQLValue(Self.word(for: skippedEnvironments)), SQLValue(keptRest),
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
        endsAt = try columns.optionalMoment()
        dismissesAtEnd = try columns.flag()
        pendingScopes = try columns.integer()
        canary = try columns.optionalJSON().map { try columns.canary($0) }
        stamp = try columns.integer()
        tally = try columns.tally()
        isPublic = try columns.optionalInteger().map { $0 != 0 }
        users = Set(try columns.optionalJSON()?.array?.compactMap(\.string) ?? [])
        laps.begun = try columns.integer()
        laps.ended = try columns.integer()
        firstEnd = try columns.optionalInteger()
        common.staleAt = try columns.optionalMoment()
        let woken = try columns.optionalMoment()
        endedAt = try columns.optionalMoment()
        startsAt = try columns.optionalMoment()
        haltedAt = try columns.optionalMoment()
        nextOrdinal = try columns.integer()
        skippedEnvironments = Self.environments(try columns.optionalText())
        restore(woken: woken, distant: try columns.optionalMoment())
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
