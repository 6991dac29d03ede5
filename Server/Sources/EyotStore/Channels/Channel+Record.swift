import APNSWire
import EyotContract
import EyotDomain

extension Channel: SQLRecord {
    static let table = SQLTable(
        "channels", key: "id", fixed: ["app", "environment"],
        changing: [
            "activity", "phase", "apple_id", "reason", "wanted_at", "accepted", "alerted", "last_second", "started_at",
            "started_with", "repeat_at", "ends", "last_end_at", "failures", "free_at", "due_at",
            "broadcast_second", "slowed_until", "alerting", "edition",
        ])

    var values: [SQLValue] {
        [
            .integer(id.rawValue), SQLValue(app), SQLValue(environment), SQLValue(activity), SQLValue(phase.rawValue),
            SQLValue(apple?.text), SQLValue(reason?.name), SQLValue(wantedAt), SQLValue(accepted), SQLValue(alerted),
            SQLValue(lastSecond), SQLValue(startedAt), SQLValue(startedWith), SQLValue(repeatAt), SQLValue(ends),
            SQLValue(lastEndAt), SQLValue(failures), SQLValue(freeAt), SQLValue(dueAt),
            SQLValue(broadcastSecond), SQLValue(slowedUntil), SQLValue(alerting), SQLValue(edition),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = ChannelID(rawValue: try columns.number())
        let app = AppID(rawValue: try columns.number())
        let environment = try columns.word(PushEnvironment.self)
        let activity = ActivityID(rawValue: try columns.number())
        let phase = try columns.word(Channel.Phase.self)
        let apple = try columns.optionalText().flatMap(APNSChannelID.init)
        let reason = try columns.optionalReason()
        self.init(
            id: id, app: app, environment: environment, activity: activity, wantedAt: try columns.moment())
        self.phase = phase
        self.apple = apple
        self.reason = reason
        accepted = try columns.integer()
        alerted = try columns.integer()
        lastSecond = try columns.integer()
        startedAt = try columns.optionalMoment()
        startedWith = try columns.integer()
        repeatAt = try columns.optionalMoment()
        ends = try columns.integer()
        lastEndAt = try columns.optionalMoment()
        failures = try columns.integer()
        freeAt = try columns.optionalMoment()
        dueAt = try columns.optionalMoment()
        broadcastSecond = try columns.integer()
        slowedUntil = try columns.optionalMoment()
        alerting = try columns.integer()
        edition = try columns.integer()
    }
}
