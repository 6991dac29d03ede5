import EyotContract
import EyotDomain
import EyotHTTP

/// A declaration that is kept under a name: its places, its JSON to change, and its removal.
struct DefinitionPage {
    let panel: Panel

    static func path(_ name: String) -> String { "\(DefinitionsPage.path)/\(PercentEncoding.encoded(name))" }

    static func apiPath(_ name: String) -> String { LocalCall.path("v1", "definitions", name) }

    static func startLink(_ name: String, _ visit: Visit) -> String {
        visit.link("/panel/start", ["definition": name])
    }

    var routes: [Route] {
        [
            panel.page("/panel/definitions/{name}") { try await show($0) },
            panel.form("/panel/definitions/{name}", needs: [.definitionsWrite], save),
            panel.page("/panel/definitions/{name}/remove", needs: [.definitionsWrite]) {
                try await removal($0).show($0)
            },
            panel.form("/panel/definitions/{name}/remove", needs: [.definitionsWrite]) { visit, fields in
                try await removal(visit).perform(visit, fields) {
                    _ = try await visit.ask(LocalCall(.delete, Self.apiPath(visit.call.parameter("name"))))
                    return visit.redirect(to: DefinitionsPage.path, saying: .removed)
                }
            },
        ]
    }

    private struct Place {
        var name: String
        var kind: String
        var standard: String?
        var isRequired: Bool
        var uses: [String]
    }

    private struct View {
        var name: String
        var start: String?
        var remove: String?
        var action: String
        var formToken: String
        var mayWrite: Bool
        var isOpen: Bool
        var text: TemplateText
        var places: [Place]
        var hasPlaces: Bool
        var changedAt: Moment?
        var definition: String
        var problem: FormProblem?
    }

    private func show(
        _ visit: Visit, typed: String? = nil, _ problem: FormProblem? = nil
    ) async throws -> Answer {
        let name = try visit.call.parameter("name")
        let reply = try await visit.reply(Self.apiPath(name))
        var template = reply.json?.object ?? JSONObject()
        (template["name"], template["changedAt"]) = (nil, nil)
        let (mayWrite, declaration) = (visit.may(.definitionsWrite), template["declaration"] ?? .null)
        let places = reply["parameters"].members.map { name, rule in
            Place(
                name: name, kind: rule["kind"].text ?? "", standard: rule["default"].json.map(Shown.json),
                isRequired: rule["default"].json == nil && rule["required"].json?.bool ?? true,
                uses: TemplateText.uses(of: name, in: declaration).map(Shown.text))
        }
        let view = View(
            name: Shown.text(name),
            start: visit.may(.activitiesStart) ? Self.startLink(name, visit) : nil,
            remove: mayWrite ? visit.link("\(Self.path(name))/remove") : nil, action: visit.link(Self.path(name)),
            formToken: visit.member.formToken, mayWrite: mayWrite, isOpen: problem != nil,
            text: TemplateText(declaration), places: places, hasPlaces: !places.isEmpty,
            changedAt: reply["changedAt"].moment, definition: typed ?? Shown.json(.object(template)), problem: problem)
        let page = visit.show("Definition", "definition", view)
        return problem?.marking(page) ?? page
    }

    private func save(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let name = try visit.call.parameter("name")
        do {
            _ = try await visit.ask(LocalCall(.put, Self.apiPath(name), json: try fields.json("definition")))
            return visit.redirect(to: Self.path(name), saying: .saved)
        } catch {
            return try await show(visit, typed: fields["definition"] ?? "", try FormProblem(error))
        }
    }

    private func removal(_ visit: Visit) async throws -> Confirmation {
        guard visit.may(.definitionsWrite) else {
            throw EyotError(.keyForbidden, "your role may not remove definitions")
        }
        let name = try visit.call.parameter("name")
        _ = try await visit.reply(Self.apiPath(name))
        return Confirmation(
            heading: "Remove this definition", lead: "The definition \(Shown.text(name)) is removed.",
            effects: [
                "What was declared with it stays as it was declared: 0 cards change.",
                "A call that names the definition from now on is refused.",
            ],
            name: name, button: "Remove definition", path: "\(Self.path(name))/remove", back: Self.path(name))
    }
}
