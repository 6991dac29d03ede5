import EyotHTTP

/// A page before something is changed for good: what it does, and the name that has to be typed.
struct Confirmation {
    var heading: String
    var lead: String
    /// What it concerns, with counts.
    var effects: [String]
    /// The name to type.
    var name: String
    var button: String
    /// The path of the page. A form is sent to the same path.
    var path: String
    /// The path of the page that the member came from.
    var back: String

    private struct View {
        var heading: String
        var lead: String
        var effects: [String]
        var name: String
        var button: String
        var action: String
        var back: String
        var app: String
        var formToken: String
        var typed: String
        var problem: FormProblem?
    }

    /// Shows the page, with what was wrong with the form.
    func show(_ visit: Visit, typed: String = "", _ problem: FormProblem? = nil) -> Answer {
        let view = View(
            heading: heading, lead: lead, effects: effects, name: Shown.text(name), button: button,
            action: visit.link(path), back: visit.link(back), app: Shown.line(visit.seat.app.name),
            formToken: visit.member.formToken, typed: typed, problem: problem)
        let page = visit.show(heading, "confirm", view)
        return problem?.marking(page) ?? page
    }

    /// Does what the form asks for, if the name is typed, or shows the page again.
    func perform(
        _ visit: Visit, _ fields: FormFields, _ act: () async throws -> Answer
    ) async throws -> Answer {
        do {
            try fields.requireTyped(name)
            return try await act()
        } catch {
            return show(visit, typed: fields["typed"] ?? "", try FormProblem(error))
        }
    }
}
