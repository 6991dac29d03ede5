import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// The route for the report of an activity.
struct ReportRoutes {
    static let csv = "text/csv"

    let backend: Backend

    var routes: [Route] {
        [
            .get(
                "/v1/activities/{name}/report", .key(.activitiesRead), query: ["generation", "compare", "format"],
                report)
        ]
    }

    private func report(_ call: Call) async throws -> Answer {
        let app = try call.app.id
        let wantsTable = try Self.wantsTable(call)
        let report = try await backend.commands.report(
            on: call.parameter("name"), generation: Self.generation(call), of: app)
        var other: CountReport?
        if let name = call.query["compare"] { other = try await backend.commands.report(on: name, of: app) }
        guard wantsTable else {
            var answer = Answer(.ok, report.json())
            if let other { answer.add("comparison", other.json(hasSeries: false)) }
            return answer
        }
        return Self.answer(ReportTable([report.json()] + [other?.json(hasSeries: false)].compactMap(\.self)))
    }

    /// An answer in JSON, or as a table if the caller wants one.
    static func answer(_ json: JSONValue, over entries: String, to call: Call) throws -> Answer {
        try wantsTable(call) ? answer(ReportTable(json, over: entries)) : Answer(.ok, json)
    }

    static func answer(_ table: ReportTable) -> Answer {
        var answer = Answer(.ok, nil)
        answer.text = table.text
        answer.headers[.contentType] = "\(csv); charset=utf-8"
        return answer
    }

    /// The generation that a call asks about; nil for the newest.
    static func generation(_ call: Call) throws -> Int? {
        guard let text = call.query["generation"] else { return nil }
        guard let number = Call.number(text), number > 0, number < Int64(Int32.max) else {
            throw EyotError(.fieldInvalid, "generation must be a whole number from 1", field: "generation")
        }
        return Int(number)
    }

    /// Whether the caller wants a table: by `format`, or by the header if there is no `format`.
    static func wantsTable(_ call: Call) throws -> Bool {
        switch call.query["format"] {
        case "csv": return true
        case "json": return false
        case nil: return call.headers[.accept]?.lowercased().contains(csv) ?? false
        default: throw EyotError(.fieldInvalid, "format must be json or csv", field: "format")
        }
    }
}
