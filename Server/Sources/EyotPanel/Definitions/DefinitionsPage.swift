import EyotContract
import EyotDomain
import EyotHTTP

/// The declarations that are kept under names, and a form for another one.
struct DefinitionsPage {
    static let path = "/panel/definitions"
    private static let rows = "50"
    private static let example = """
        {
          "parameters": {"home": {"kind": "integer"}},
          "declaration": {"contentState": {"homeScore": "{{home}}"}}
        }
        """

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path, query: ["after"]) { try await show($0, name: "", definition: Self.example) },
            panel.form(Self.path, needs: [.definitionsWrite], add),
        ]
    }

    private struct Row {
        var name: String
        var link: String
        var type: String?
        var places: Int
        var changedAt: Moment?
        var start: String?

        init(_ reply: Reply, _ visit: Visit) {
            let raw = reply["name"].raw ?? ""
            (name, link) = (Shown.text(raw), visit.link(DefinitionPage.path(raw)))
            type = reply["declaration"]["type"].text
            places = reply["parameters"].members.count
            changedAt = reply["changedAt"].moment
            start = visit.may(.activitiesStart) ? DefinitionPage.startLink(raw, visit) : nil
        }
    }

    private struct View {
        var action: String
        var formToken: String
        var mayWrite: Bool
        var isOpen: Bool
        var typedName: String
        var definition: String
        var problem: FormProblem?
        var definitions: [Row]
        var isEmpty: Bool
        var pager: Pager
    }

    private func show(
        _ visit: Visit, name: String, definition: String, _ problem: FormProblem? = nil
    ) async throws -> Answer {
        let after = visit.call.method == .get ? visit.call.query["after"] : nil
        var query = ["limit": Self.rows]
        query["after"] = after
        let reply = try await visit.reply("/v1/definitions", query)
        let rows = reply["definitions"].all.map { Row($0, visit) }
        let view = View(
            action: visit.link(Self.path), formToken: visit.member.formToken, mayWrite: visit.may(.definitionsWrite),
            isOpen: problem != nil, typedName: name, definition: definition, problem: problem, definitions: rows,
            isEmpty: rows.isEmpty,
            pager: Pager(
                first: after.map { _ in visit.link(Self.path) },
                next: reply["next"].raw.map { visit.link(Self.path, ["after": $0]) }))
        let page = visit.show("Definitions", "definitions", view)
        return problem?.marking(page) ?? page
    }

    private func add(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        do {
            let name = try fields.required("name")
            _ = try await visit.ask(LocalCall(.put, DefinitionPage.apiPath(name), json: try fields.json("definition")))
            return visit.redirect(to: DefinitionPage.path(name), saying: .saved)
        } catch {
            return try await show(
                visit, name: fields["name"] ?? "", definition: fields["definition"] ?? "", try FormProblem(error))
        }
    }
}
