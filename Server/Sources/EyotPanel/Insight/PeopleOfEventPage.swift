import APNSWire
import EyotContract
import EyotDomain
import EyotHTTP

/// The devices and users that an event happened to.
struct PeopleOfEventPage {
    private static let rows = "50"

    let panel: Panel

    var route: Route { panel.page("/panel/insight/{kind}", query: ["range", "code", "after"], show) }

    static func path(_ kind: String) -> String { "\(InsightPage.path)/\(PercentEncoding.encoded(kind))" }

    /// What Apple's word means; nil for words of Eyot, which say it themselves.
    static func meaning(ofReason name: String?) -> String? {
        guard let name else { return nil }
        let reason = APNSReason(name: name)
        return reason == .unrecognized ? nil : reason.meaning
    }

    private struct Row {
        var user: String?
        var userLink: String
        var device: String
        var deviceLink: String
        var why: String
        var count: String
        var firstAt: Moment?
        var lastAt: Moment?
    }

    private struct View {
        var kind: String
        var meaning: String
        var code: String?
        var codeMeaning: String?
        var range: String
        var back: String
        var rows: [Row]
        var isEmpty: Bool
        var pager: Pager
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let kind = try visit.call.parameter("kind")
        let (question, code) = (InsightQuestion(visit.call.query), visit.call.query["code"])
        // Events are kept for 30 days, and their counts longer.
        let since = max(question.since(at: visit.now), visit.now - 30 * 86_400)
        var query = ["since": since.rfc3339, "limit": Self.rows]
        (query["code"], query["after"]) = (code, visit.call.query["after"])
        let reply = try await visit.reply("/v1/insights/events/\(PercentEncoding.encoded(kind))/people", query)
        let parameters = [("range", question.range.name)] + (code.map { [("code", $0)] } ?? [])
        let rows = reply["people"].all.map { row($0, visit) }
        return visit.show(
            "People of an event", "insight.people",
            View(
                kind: Shown.text(kind), meaning: EventKind(rawValue: kind)?.meaning ?? "",
                code: code.map(Shown.text), codeMeaning: Self.meaning(ofReason: code), range: question.range.title,
                back: question.link(visit) { _ in }, rows: rows, isEmpty: rows.isEmpty,
                pager: Pager(
                    first: visit.call.query["after"].map { _ in visit.link(Self.path(kind), parameters) },
                    next: reply["next"].raw.map { visit.link(Self.path(kind), parameters + [("after", $0)]) },
                    more: "Later")))
    }

    private func row(_ reply: Reply, _ visit: Visit) -> Row {
        let device = reply["device"].raw ?? ""
        return Row(
            user: reply["user"].text, userLink: visit.link(UserPage.path(reply["user"].raw ?? "")), device: device,
            deviceLink: visit.link(DevicePage.path(device)), why: visit.link(WhyPage.path, ["device": device]),
            count: reply["count"].count ?? "", firstAt: reply["firstAt"].moment, lastAt: reply["lastAt"].moment)
    }
}
