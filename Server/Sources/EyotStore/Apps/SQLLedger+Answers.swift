import EyotContract
import EyotDomain

private enum Statements {
    static let answer = AnsweredRequest.table.select("WHERE r.app = ?1 AND r.key = ?2")
    static let remove = SQLStatement("DELETE FROM answers WHERE app = ?1 AND key = ?2")
    static let removeOld = AnsweredRequest.table.removeOldest(by: "answered_at")
    static let log = NumberedLog<AnsweredRequest>()
}

extension SQLLedger {
    package func answeredRequest(key: String, of app: AppID?) throws -> AnsweredRequest? {
        try first(Statements.answer, SQLValue(owner: app), SQLValue(key))
    }

    package func keep(_ answered: AnsweredRequest) throws {
        let owner = SQLValue(owner: answered.app)
        try connection.queue(Statements.remove, [owner, SQLValue(answered.request.key)])
        try Statements.log.insert(answered, on: connection)
    }

    package func forgetAnswers(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.removeOld, [SQLValue(moment), SQLValue(limit)])
    }
}

extension AnsweredRequest: SQLRecord {
    static let table = SQLTable(
        "answers", key: "app", "key", changing: ["digest", "status", "body", "headers", "answered_at"])

    var values: [SQLValue] {
        let headers = answer.headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return [
            SQLValue(owner: app), SQLValue(request.key), SQLValue(request.digest), SQLValue(answer.status),
            SQLValue(answer.body), SQLValue(JSONValue.object(JSONObject(headers))), SQLValue(answeredAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let owner = try columns.number()
        let request = Idempotency(key: try columns.text(), digest: try columns.bytes())
        var answer = KeptAnswer(status: try columns.integer(), body: try columns.optionalJSON())
        for member in try columns.json().object?.members ?? [] { answer.headers[member.name] = member.value.string }
        self.init(
            app: owner == 0 ? nil : AppID(rawValue: owner), request: request, answer: answer,
            answeredAt: try columns.moment())
    }
}
