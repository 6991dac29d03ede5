import EyotContract
import EyotDomain
import EyotHTTP

/// A saved audience: its JSON, to read, change and remove.
struct SegmentPage {
    let panel: Panel

    static func path(_ name: String) -> String { "\(AudiencesPage.path)/\(PercentEncoding.encoded(name))" }

    static func apiPath(_ name: String) -> String { LocalCall.path("v1", "segments", name) }

    var routes: [Route] {
        [
            panel.page("/panel/audiences/{name}") { visit in
                let segment = try await visit.reply(Self.apiPath(visit.call.parameter("name")))
                return try show(visit, Shown.json(segment["audience"].json ?? .null), at: segment["updatedAt"].moment)
            },
            panel.form("/panel/audiences/{name}", needs: [.peopleWrite], save),
            panel.page("/panel/audiences/{name}/remove", needs: [.peopleWrite]) { try await removal($0).show($0) },
            panel.form("/panel/audiences/{name}/remove", needs: [.peopleWrite]) { visit, fields in
                try await removal(visit).perform(visit, fields) {
                    _ = try await visit.ask(LocalCall(.delete, Self.apiPath(visit.call.parameter("name"))))
                    return visit.redirect(to: AudiencesPage.path, saying: .removed)
                }
            },
        ]
    }

    private struct View {
        var name: String
        var count: String
        var action: String
        var formToken: String
        var audience: String
        var updatedAt: Moment?
        var mayWrite: Bool
        var remove: String
        var problem: FormProblem?
    }

    private func show(
        _ visit: Visit, _ audience: String, at moment: Moment? = nil, _ problem: FormProblem? = nil
    ) throws -> Answer {
        let name = try visit.call.parameter("name")
        let view = View(
            name: Shown.text(name),
            count: visit.link(AudiencesPage.path, ["segment": name]), action: visit.link(Self.path(name)),
            formToken: visit.member.formToken, audience: audience, updatedAt: moment,
            mayWrite: visit.may(.peopleWrite), remove: visit.link("\(Self.path(name))/remove"), problem: problem)
        let page = visit.show("Segment", "segment", view)
        return problem?.marking(page) ?? page
    }

    private func save(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let name = try visit.call.parameter("name")
        do {
            let body: JSONValue = ["audience": try fields.json("audience")]
            _ = try await visit.ask(LocalCall(.put, Self.apiPath(name), json: body))
            return visit.redirect(to: Self.path(name), saying: .saved)
        } catch {
            return try show(visit, fields["audience"] ?? "", try FormProblem(error))
        }
    }

    private func removal(_ visit: Visit) async throws -> Confirmation {
        guard visit.may(.peopleWrite) else {
            throw EyotError(.keyForbidden, "your role may not remove segments")
        }
        let name = try visit.call.parameter("name")
        _ = try await visit.reply(Self.apiPath(name))
        return Confirmation(
            heading: "Remove this segment", lead: "The segment \(Shown.text(name)) is removed. Its phones stay.",
            effects: [
                "0 cards change. Starts that were accepted keep their phones. A call that names the segment from now on is refused.",
                "Definitions and other segments that name it are not changed.",
            ],
            name: name, button: "Remove segment", path: "\(Self.path(name))/remove", back: Self.path(name))
    }
}
