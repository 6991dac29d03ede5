import EyotContract
import EyotDomain
import EyotHTTP

/// A type: its schemas by build and what changed between them, its profile, its halt, and its last day.
struct TypePage {
    let panel: Panel

    static func path(_ type: String) -> String { "\(TypesPage.path)/\(PercentEncoding.encoded(type))" }

    var routes: [Route] {
        [
            panel.page("/panel/types/{type}", query: ["from", "to"]) { try await show($0) },
            panel.form("/panel/types/{type}/profile", needs: [.typesWrite], saveProfile),
            panel.form("/panel/types/{type}/halt", needs: [.activitiesHalt]) { visit, _ in
                try await set("halt", visit, saying: .halted)
            },
            panel.form("/panel/types/{type}/resume", needs: [.activitiesHalt]) { visit, _ in
                try await set("resume", visit, saying: .resumed)
            },
        ]
    }

    private struct Build {
        var name: String
        var value: String
        var pushedAt: Moment?
        var schema: String
        var isFrom: Bool
        var isTo: Bool
    }

    private struct View {
        var type: String
        var isAll: Bool
        var haltedSince: Moment?
        var isHalted: Bool
        var mayHalt: Bool
        var haltAction: String
        var resumeAction: String
        var formToken: String
        var action: String
        var app: String?
        var builds: [Build] = []
        var hasBuilds = false
        var canCompare = false
        var comparison: SchemaComparison?
        var mayWrite: Bool
        var profileAction: String
        var profile: ProfileForm
        var problem: FormProblem?
        var hours: TypeHours?
    }

    private func show(
        _ visit: Visit, profile sent: ProfileForm? = nil, _ problem: FormProblem? = nil
    ) async throws -> Answer {
        let type = try visit.call.parameter("type")
        let api = "/v1/types/\(PercentEncoding.encoded(type))"
        let path = Self.path(type)
        let kept = ProfileForm(try await visit.reply("\(api)/profile"))
        let halted = visit.seat.app.haltedTypes[type]
        var view = View(
            type: Shown.text(type), isAll: type == "*",
            haltedSince: halted.map(Moment.init), isHalted: halted != nil,
            mayHalt: visit.may(.activitiesHalt) && type != "*", haltAction: visit.link("\(path)/halt"),
            resumeAction: visit.link("\(path)/resume"), formToken: visit.member.formToken, action: path,
            app: visit.appField, mayWrite: visit.may(.typesWrite), profileAction: visit.link("\(path)/profile"),
            profile: sent ?? kept, problem: problem)
        if type != "*" {
            try read(try await visit.reply("\(api)/schemas")["schemas"].all, into: &view, visit)
            if visit.may(.activitiesRead) {
                view.hours = TypeHours(try await visit.reply("/v1/insights/types/\(PercentEncoding.encoded(type))"))
            }
        }
        let page = visit.show("Type", "type", view)
        return problem?.marking(page) ?? page
    }

    // MARK: Schemas

    /// Lists the schemas, newest first, and compares two of them: the two newest unless the member chose.
    private func read(_ schemas: [Reply], into view: inout View, _ visit: Visit) throws {
        let newestFirst = schemas.sorted { ($0["pushedAt"].raw ?? "") > ($1["pushedAt"].raw ?? "") }
        func index(_ parameter: String, _ standard: Int) -> Int {
            let chosen = visit.call.query[parameter]
            return newestFirst.firstIndex { Self.value($0) == chosen } ?? standard
        }
        let (from, to) = (index("from", min(1, newestFirst.count - 1)), index("to", 0))
        view.builds = newestFirst.enumerated().map { place, schema in
            Build(
                name: Self.name(schema), value: Self.value(schema), pushedAt: schema["pushedAt"].moment,
                schema: Shown.json(schema["schema"].json ?? .null), isFrom: place == from, isTo: place == to)
        }
        (view.hasBuilds, view.canCompare) = (!newestFirst.isEmpty, newestFirst.count > 1)
        guard newestFirst.count > 1 else { return }
        func schema(_ place: Int) throws -> ActivitySchema {
            do {
                return try ActivitySchema(json: newestFirst[place]["schema"].json ?? .null, type: view.type)
            } catch {
                throw EyotError(error)
            }
        }
        view.comparison = SchemaComparison(
            from: try schema(from), named: Self.name(newestFirst[from]), to: try schema(to),
            named: Self.name(newestFirst[to]))
    }

    /// The schema of all other builds has no name, and no build can be called `*`, which is no version.
    private static func value(_ schema: Reply) -> String { schema["build"].raw ?? "*" }

    private static func name(_ schema: Reply) -> String { schema["build"].text ?? "all other builds" }

    // MARK: Changes

    private func saveProfile(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let type = try visit.call.parameter("type")
        do {
            _ = try await visit.ask(
                LocalCall(.put, LocalCall.path("v1", "types", type, "profile"), json: ProfileForm.json(fields)))
            return visit.redirect(to: Self.path(type), saying: .saved)
        } catch {
            let problem = try FormProblem(error)
            return try await show(visit, profile: ProfileForm(fields, problem), problem)
        }
    }

    private func set(_ verb: String, _ visit: Visit, saying notice: Notice) async throws -> Answer {
        let type = try visit.call.parameter("type")
        _ = try await visit.ask(LocalCall(.post, LocalCall.path("v1", "types", type, verb)))
        return visit.redirect(to: Self.path(type), saying: notice)
    }
}
