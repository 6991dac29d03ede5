import EyotContract
import EyotDomain
import EyotHTTP

/// Counts an audience before anything is sent to it, keeps it as a segment, and lists the segments.
struct AudiencesPage {
    static let path = "/panel/audiences"
    private static let rows = "50"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path, query: ["after", "segment"]) { visit in
                let segment = visit.call.query["segment"]
                let audience = segment.map { Shown.json(["segment": .string($0)]) } ?? "\"all\""
                return try await show(visit, View.Form(audience: audience, type: "", name: ""))
            },
            panel.form(Self.path, needs: [.peopleRead], act),
        ]
    }

    private struct Count {
        var matched: String
        var users: String
        var eligible: String?
        var share: String
        var skipped: [SkippedView]
        var hasSkipped: Bool
        var isComplete: Bool

        init(_ reply: Reply) {
            matched = reply["matched"].count ?? "0"
            users = reply["users"].count ?? "0"
            eligible = reply["eligible"].count
            share = Figures.share(reply["eligible"].number ?? 0, of: reply["matched"].number ?? 0)
            skipped = SkippedView.all(reply["skipped"])
            hasSkipped = !skipped.isEmpty
            isComplete = reply["isComplete"].isTrue
        }
    }

    private struct SegmentRow {
        var name: String
        var link: String
        var audience: String
        var updatedAt: Moment?

        init(_ reply: Reply, _ visit: Visit) {
            name = reply["name"].text ?? ""
            link = visit.link(SegmentPage.path(reply["name"].raw ?? ""))
            let text = Shown.text(reply["audience"].json?.text ?? "")
            audience = text.count > 120 ? "\(text.prefix(120))…" : text
            updatedAt = reply["updatedAt"].moment
        }
    }

    private struct View {
        /// What was typed.
        struct Form {
            var audience: String
            var type: String
            var name: String
        }

        var action: String
        var formToken: String
        var form: Form
        var types: [String]
        var maySave: Bool
        var count: Count?
        var problem: FormProblem?
        var segments: [SegmentRow]
        var isEmpty: Bool
        var pager: Pager
    }

    private func show(
        _ visit: Visit, _ form: View.Form, count: Count? = nil, _ problem: FormProblem? = nil
    ) async throws -> Answer {
        let after = visit.call.method == .get ? visit.call.query["after"] : nil
        var query = ["limit": Self.rows]
        query["after"] = after
        let reply = try await visit.reply("/v1/segments", query)
        let types =
            visit.may(.typesRead)
            ? try await visit.reply("/v1/types")["types"].all.compactMap { $0["type"].raw }.filter { $0 != "*" } : []
        let rows = reply["segments"].all.map { SegmentRow($0, visit) }
        let view = View(
            action: visit.link(Self.path), formToken: visit.member.formToken, form: form,
            types: types.map(Shown.text), maySave: visit.may(.peopleWrite), count: count, problem: problem,
            segments: rows, isEmpty: rows.isEmpty,
            pager: Pager(
                first: after.map { _ in visit.link(Self.path) },
                next: reply["next"].raw.map { visit.link(Self.path, ["after": $0]) }))
        let page = visit.show("Audiences", "audiences", view)
        return problem?.marking(page) ?? page
    }

    private func act(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let form = View.Form(
            audience: fields["audience"] ?? "", type: fields["type"]?.trimmed ?? "", name: fields["name"] ?? "")
        do {
            let audience = try fields.json("audience")
            if fields["act"] == "save" {
                let name = try fields.required("name")
                _ = try await visit.ask(
                    LocalCall(.put, SegmentPage.apiPath(name), json: ["audience": audience]))
                return visit.redirect(to: SegmentPage.path(name), saying: .saved)
            }
            var question = JSONObject([("audience", audience)])
            if !form.type.isEmpty { question["type"] = .string(form.type) }
            let answer = try await visit.ask(LocalCall(.post, "/v1/audiences/count", json: .object(question)))
            return try await show(visit, form, count: Count(Reply(answer.json)))
        } catch {
            return try await show(visit, form, try FormProblem(error))
        }
    }
}
