import EyotCommands
import EyotContract
import EyotDomain

/// Routes for how often something happened, and to which people.
struct EventInsightRoutes {
    let backend: Backend
    /// The vendors with names for events.
    let vendors: [Vendor]

    var routes: [Route] {
        [
            .get(
                "/v1/insights/events", .key(.eventsRead), query: ["types", "since", "until", "bucket", "activity"],
                count),
            .get(
                "/v1/insights/not-sent", .key(.eventsRead), query: ["since", "until", "bucket"], notSent),
            .get(
                "/v1/insights/events/{kind}/people", .key(.eventsRead, .peopleRead),
                query: ["since", "until", "code", "after", "limit"], people),
        ]
    }

    private func count(_ call: Call) async throws -> Answer {
        var question = EventInsight.Question()
        question.kinds = try call.query["types"].map { try EventQuery.kinds($0, foreign: vendors.eventNames) }
        guard question.kinds != [.pushAccepted] else {
            throw EyotError(
                .fieldInvalid, "what Apple accepted is not counted over time: the activity counts it", field: "types")
        }
        question.activity = call.query["activity"]
        return try await answer(question, call)
    }

    private func notSent(_ call: Call) async throws -> Answer { try await answer(.notSent, call) }

    private func answer(_ asked: EventInsight.Question, _ call: Call) async throws -> Answer {
        var question = asked
        if let text = call.query["bucket"] {
            guard let bucket = EventInsight.Bucket(rawValue: text) else {
                throw EyotError(.fieldInvalid, "bucket must be hour or day", field: "bucket")
            }
            question.bucket = bucket
        }
        (question.since, question.until) = (try call.moment("since"), try call.moment("until"))
        return Answer(.ok, try await backend.commands.insight(question, of: call.app.id).json)
    }

    private func people(_ call: Call) async throws -> Answer {
        let name = try call.parameter("kind")
        guard let kind = EventKind(rawValue: name) else {
            throw EyotError(.fieldInvalid, "there is no event \(name): see docs/reference/api/events.md", field: "kind")
        }
        var question = PeopleOfEvent.Question(kind: kind)
        (question.since, question.until) = (try call.moment("since"), try call.moment("until"))
        question.reason = call.query["code"]
        question.after = try call.query["after"].map { text in
            guard let place = EventPlace(text) else {
                throw EyotError(
                    .fieldInvalid, "after must be the value of next in the previous answer", field: "after")
            }
            return place
        }
        let page = try await backend.commands.people(question, of: call.app.id, limit: call.limit())
        var object = JSONObject([("people", .array(page.people.map(\.json)))])
        object["next"] = page.next.map { .string($0.text) }
        return Answer(.ok, .object(object))
    }
}

extension Call {
    /// A time in the query; nil if it is missing.
    func moment(_ name: String) throws -> Instant? {
        guard let text = query[name] else { return nil }
        guard let moment = Instant(rfc3339: text) else {
            throw EyotError(.fieldInvalid, "\(name) must be a time as RFC 3339 writes it", field: name)
        }
        return moment
    }
}

extension EventPlace {
    /// Reads what ``text`` has written; nil for anything else.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Call.number(String($0)) }
        guard parts.count == 2, let at = parts[0], let id = parts[1] else { return nil }
        self.init(at: Instant(microseconds: at), id: id)
    }

    fileprivate var text: String { "\(at.microseconds).\(id)" }
}

extension EventInsight {
    fileprivate var json: JSONValue {
        [
            "since": .string(range.lowerBound.rfc3339), "until": .string(range.upperBound.rfc3339),
            "bucket": .string(bucket.rawValue), "events": .array(rows.map(\.json)),
        ]
    }
}

extension EventInsight.Row {
    fileprivate var json: JSONValue {
        var object = JSONObject([("type", .string(name))])
        if !reason.isEmpty { object["reason"] = .string(reason) }
        object["total"] = .integer(total)
        object["series"] = .array(
            series.map { ["at": .string(Instant(second: $0.second).rfc3339), "count": .integer($0.count)] })
        return .object(object)
    }
}

extension PeopleOfEvent.Person {
    fileprivate var json: JSONValue {
        var object = JSONObject([("device", .string(String(device.rawValue)))])
        object["user"] = user.map(JSONValue.string)
        object["count"] = .integer(count)
        object["firstAt"] = .string(firstAt.rfc3339)
        object["lastAt"] = .string(lastAt.rfc3339)
        return .object(object)
    }
}
