import EyotContract
import EyotDomain
import EyotHTTP

/// The list of activities with a report, newest first.
struct ReportsPage {
    private static let limit = 50

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/reports", query: ["before"]) { visit in
                var query = ["limit": String(Self.limit)]
                query["before"] = visit.call.query["before"]
                let json = try await visit.read("/v1/reports", query)
                let rows = (json.at("reports")?.objects ?? []).map { View.Row($0, for: visit) }
                let next = json.at("next")?.string.map { visit.link("/panel/reports", ["before": $0]) }
                return visit.show("After", "reports", View(rows: rows, hasRows: !rows.isEmpty, next: next))
            }
        ]
    }

    struct View {
        struct Row {
            var name: String
            var link: String
            var details: String
            var state: String
            var tone: String
            var began: Moment?
            var ended: Moment?
            var kept: String
        }

        var rows: [Row]
        var hasRows: Bool
        var next: String?
    }
}

extension ReportsPage.View.Row {
    fileprivate init(_ json: JSONValue, for visit: Visit) {
        let raw = json.at("name")?.string ?? ""
        name = Shown.line(raw)
        let generation = json.count("generation")
        link = visit.link("/panel/reports/\(PercentEncoding.encoded(raw))", ["generation": String(generation)])
        let type = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        details = "\(type) · generation \(generation) · version \(json.count("version"))"
        state = json.at("state")?.string == "active" ? "running" : json.at("state")?.string ?? ""
        tone = state == "running" ? "good" : ""
        (began, ended) = (Moment(json.at("createdAt")), Moment(json.at("endedAt")))
        kept = json.at("keptSince") == nil ? "" : "numbers only"
    }
}
