import EyotCommands
import EyotContract
import EyotDomain

/// The route for what became of one declaration on each phone.
struct VersionRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .lines(
                "/v1/activities/{name}/versions/{version}/phones", .key(.activitiesRead),
                query: ["limit", "after", "outcome", "generation", "format"], phones)
        ]
    }

    private func phones(_ call: Call) async throws -> Answer {
        let wantsTable = try ReportRoutes.wantsTable(call)
        guard let version = Call.number(try call.parameter("version")).flatMap({ Int(exactly: $0) }) else {
            throw EyotError(.versionUnknown, "a version is a whole number from 1", field: "version")
        }
        let page = try await backend.commands.phones(
            of: version, on: call.parameter("name"), generation: ReportRoutes.generation(call), in: call.app.id,
            after: Int(call.after()), limit: call.limit(default: 1_000), wanted: Self.outcome(call),
            at: call.now)
        var answer = Answer(.ok, nil)
        if wantsTable {
            answer = ReportRoutes.answer(
                ReportTable(columns: PhoneOfVersion.columns, rows: page.phones.map(\.cells)))
        } else {
            answer.lines = page.phones.map(\.json)
            answer.headers[.contentType] = BodyReader.lines
        }
        answer.headers[EventRoutes.next] = page.next.map(String.init)
        return answer
    }

    private static func outcome(_ call: Call) throws -> String? {
        guard let word = call.query["outcome"] else { return nil }
        guard VersionFate.words.contains(word) else {
            throw EyotError(
                .fieldInvalid, "outcome must be one of \(VersionFate.words.joined(separator: ", "))", field: "outcome")
        }
        return word
    }
}
