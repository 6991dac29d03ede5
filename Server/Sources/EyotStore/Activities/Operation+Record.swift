import EyotContract
import EyotDomain

extension Operation: SQLRecord {
    static let table = SQLTable(
        "operations", key: "id",
        fixed: [
            "app", "verb", "name", "activity", "generation", "version", "outcome", "accepted_at", "starting",
            "skipped", "members", "warnings", "idempotency_key", "idempotency_digest",
        ], changing: [])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(verb.rawValue), SQLValue(name),
            activity.map(SQLValue.init) ?? .null, SQLValue(generation), SQLValue(version),
            SQLValue(outcome.rawValue), SQLValue(acceptedAt), SQLValue(starting), SQLValue(skippedJSON),
            SQLValue(members), SQLValue(JSONValue.array(warnings.map(JSONValue.string))),
            SQLValue(idempotency?.key), SQLValue(idempotency?.digest),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        self.init(
            app: AppID(rawValue: try columns.number()), verb: try columns.word(), name: try columns.text(),
            activity: try columns.optionalNumber().map(ActivityID.init(rawValue:)),
            generation: try columns.integer(), version: try columns.integer(), outcome: try columns.word(),
            acceptedAt: try columns.moment())
        self.id = id
        starting = try columns.integer()
        for member in try columns.json().object?.members ?? [] {
            if let failure = StartFailure(rawValue: member.name) { skipped[failure] = member.value.integer }
        }
        members = try columns.optionalInteger()
        warnings = try columns.json().array?.compactMap(\.string) ?? []
        let key = try columns.optionalText()
        let digest = try columns.optionalBytes()
        if let key, let digest { idempotency = Idempotency(key: key, digest: digest) }
    }

    private var skippedJSON: JSONValue {
        .object(
            JSONObject(
                StartFailure.allCases.compactMap { failure in
                    skipped[failure].map { (failure.rawValue, .integer($0)) }
                }))
    }
}
