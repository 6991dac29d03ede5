import EyotContract
import EyotDomain
import EyotHTTP

/// The types of Live Activities that the app has used.
struct TypesPage {
    static let path = "/panel/types"
    private static let rows = "50"

    let panel: Panel

    var routes: [Route] { [panel.page(Self.path, query: ["after"], show)] }

    private struct Row {
        var name: String
        var link: String
        var isAll: Bool
        var schemas: String
        var hasNoSchema: Bool
        var hasProfile: Bool
        var isCounted: Bool
        var haltedSince: Moment?

        init(_ reply: Reply, _ visit: Visit) {
            let raw = reply["type"].raw ?? ""
            (name, isAll) = (Shown.text(raw), raw == "*")
            link = visit.link(TypePage.path(raw))
            schemas = reply["schemas"].count ?? "0"
            hasNoSchema = reply["schemas"].number == 0 && raw != "*"
            (hasProfile, isCounted) = (reply["hasProfile"].isTrue, reply["isCounted"].isTrue)
            haltedSince = reply["haltedSince"].moment
        }
    }

    private struct View {
        let action = TypesPage.path
        var types: [Row]
        var isEmpty: Bool
        var common: String
        var pager: Pager
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let after = visit.call.query["after"]
        var query = ["limit": Self.rows]
        query["after"] = after
        let reply = try await visit.reply("/v1/types", query)
        let types = reply["types"].all.map { Row($0, visit) }
        return visit.show(
            "Types", "types",
            View(
                types: types, isEmpty: types.isEmpty, common: visit.link(TypePage.path("*")),
                pager: Pager(
                    first: after.map { _ in visit.link(Self.path) },
                    next: reply["next"].raw.map { visit.link(Self.path, ["after": $0]) })))
    }
}
