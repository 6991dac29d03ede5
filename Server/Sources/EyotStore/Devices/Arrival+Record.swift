import EyotContract
import EyotDomain

extension Arrival: SQLRecord {
    static let table = SQLTable(
        "arrivals", key: "id",
        fixed: [
            "app", "device", "epoch", "sequence", "activity", "ordinal", "instance", "token", "token_environment",
            "answered_at", "answer_second", "accepted", "last_second", "digest",
        ], changing: [])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(device), SQLValue(epoch), SQLValue(sequence), SQLValue(activity),
            SQLValue(ordinal),
            SQLValue(instance), SQLValue(token?.bytes ?? []), SQLValue(environment), SQLValue(answeredAt),
            SQLValue(answerSecond), SQLValue(accepted), SQLValue(lastSecond), SQLValue(digest?.text),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            id: try columns.number(), app: AppID(rawValue: try columns.number()),
            device: DeviceID(rawValue: try columns.number()), epoch: try columns.integer(),
            sequence: try columns.integer(), activity: ActivityID(rawValue: try columns.number()),
            ordinal: try columns.integer(), instance: try columns.text(), token: PushToken(bytes: try columns.bytes()),
            environment: try columns.word(), answeredAt: try columns.moment(), answerSecond: try columns.integer(),
            accepted: try columns.integer(), lastSecond: try columns.integer(),
            digest: try columns.optionalText().flatMap(StateDigest.init(text:)))
    }
}
