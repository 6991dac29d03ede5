import EyotContract
import EyotDomain
import EyotHTTP

/// The page of what members and keys changed, read and were refused.
struct AuditPage {
    static let path = "/panel/audit"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path, query: ["before", "of"]) { visit in
                visit.show("Audit", "audit", try await AuditView(visit))
            }
        ]
    }
}

/// What the page of the audit log shows.
struct AuditView {
    struct Row {
        var number: Int
        var at: Moment?
        var who: String
        var call: String
        var subject: String
        var status: Int
        var isRefused: Bool
        var address: String
        var repeated: Int?
        var kind: String
    }

    let rows: [Row]
    let changes: String
    let accesses: String
    let showsChanges: Bool
    let older: String?
    /// The log with what was declared; nil if the member does not see it.
    let declarations: String?

    init(_ visit: Visit) async throws {
        showsChanges = visit.call.query["of"] != "access"
        var query = ["limit": "100"]
        query["before"] = visit.call.query["before"]
        let json = try await visit.read(showsChanges ? "/v1/audit" : "/v1/audit/access", query)
        rows = json.list(showsChanges ? "changes" : "entries").map { entry in
            let status = entry["status"]?.integer ?? 0
            return Row(
                number: entry["number"]?.integer ?? 0, at: entry.moment("at"), who: entry.shown("hint"),
                call: "\(entry.text("method")) \(entry.text("route"))", subject: entry.shown("subject"),
                status: status, isRefused: status >= 400, address: entry.shown("address"),
                repeated: entry["repeated"]?.integer, kind: entry.text("kind"))
        }
        (changes, accesses) = (visit.link(AuditPage.path), visit.link(AuditPage.path, ["of": "access"]))
        declarations = visit.may(.eventsRead) ? visit.link(LogPage.path, ["tab": "operators"]) : nil
        let isChanges = showsChanges
        older = json["next"]?.string.map { next in
            isChanges
                ? visit.link(AuditPage.path, ["before": next])
                : visit.link(AuditPage.path, ["of": "access", "before": next])
        }
    }
}

extension Templates {
    /// The template of the audit log.
    static let audit = [
        "audit": """
        <h1>Audit</h1>
        <nav class="tabs" aria-label="Kinds of entries"><a href="{{changes}}"{{#showsChanges}} class="on" aria-current="page"{{/showsChanges}}>Changes</a><a href="{{accesses}}"{{^showsChanges}} class="on" aria-current="page"{{/showsChanges}}>Reads and refusals</a></nav>
        <p class="hint">Declarations have a story of their own: {{#declarations}}<a href="{{declarations}}">{{/declarations}}Log, declared and halted{{#declarations}}</a>{{/declarations}}.</p>
        {{^rows}}<p class="empty">Nothing yet.</p>{{/rows}}
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">When</th><th scope="col" class="t">Who</th><th scope="col" class="t wide">Call</th><th scope="col" class="t">What</th><th scope="col">Status</th><th scope="col" class="wide">From</th></tr></thead><tbody>
        {{#rows}}<tr><td>{{#at}}{{>moment}}{{/at}}</td><td class="t"><bdi>{{who}}</bdi></td><td class="t wide"><code>{{call}}</code></td><td class="t"><bdi>{{subject}}</bdi></td><td>{{#isRefused}}<span class="tag bad">{{status}}</span>{{/isRefused}}{{^isRefused}}{{status}}{{/isRefused}}{{#repeated}} ×{{repeated}}{{/repeated}}</td><td class="wide">{{address}}</td></tr>{{/rows}}
        </tbody></table></div>
        {{#older}}<p><a href="{{older}}">Older</a></p>{{/older}}
        """
    ]
}
