import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The search in the bar: a user, a device, an activity, an operation or a request by its name or id.
struct SearchPage {
    /// The most characters of a search.
    private static let limit = 256

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/search", query: ["q"]) { visit in
                let text = String((visit.call.query["q"] ?? "").prefix(Self.limit))
                let hits = try await hits(text.trimmed, for: visit)
                if hits.count == 1, let only = hits.first { return .redirect(to: only.link) }
                let view = View(
                    text: text.trimmed, action: "/panel/search",
                    app: visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil, hits: hits,
                    hasHits: !hits.isEmpty, isEmpty: text.trimmed.isEmpty)
                return visit.show("Search", "search", view)
            }
        ]
    }

    struct Hit {
        var kind: String
        var name: String
        var link: String
    }

    struct View {
        var text: String
        var action: String
        var app: String?
        var hits: [Hit]
        var hasHits: Bool
        var isEmpty: Bool
    }

    /// What has exactly this name or id. Each look-up is by an index.
    private func hits(_ text: String, for visit: Visit) async throws -> [Hit] {
        guard !text.isEmpty else { return [] }
        let name = Shown.line(text)
        let encoded = PercentEncoding.encoded(text)
        var hits: [Hit] = []
        if try await has(LocalCall.path("v1", "activities", text), .activitiesRead, for: visit) {
            hits.append(Hit(kind: "Activity", name: name, link: visit.link(ActivityPath(text).page)))
        } else if try await has(LocalCall.path("v1", "activities", text, "report"), .activitiesRead, for: visit) {
            hits.append(Hit(kind: "Report", name: name, link: visit.link("/panel/reports/\(encoded)")))
        }
        if try await isPerson(text, for: visit) {
            hits.append(Hit(kind: "User", name: name, link: visit.link("/panel/users/\(encoded)")))
        }
        if try await has(LocalCall.path("v1", "devices", text), .peopleRead, for: visit) {
            hits.append(Hit(kind: "Device", name: name, link: visit.link("/panel/devices/\(encoded)")))
        }
        if try await has(LocalCall.path("v1", "operations", text), .activitiesRead, for: visit) {
            hits.append(Hit(kind: "Operation", name: name, link: visit.link("/panel/operations/\(encoded)")))
        }
        return hits + (try await requests(text, for: visit))
    }

    /// What became of a request, by the server's id of it or the caller's own.
    private func requests(_ text: String, for visit: Visit) async throws -> [Hit] {
        let path = LocalCall.path("v1", "requests", text)
        guard try await has(path, .activitiesRead, for: visit) else { return [] }
        let found = try await visit.read(path)
        let operations = found.at("operations")?.objects ?? []
        let hits = operations.compactMap { $0.at("operation")?.string }.map {
            Hit(kind: "Operation of a request", name: $0, link: visit.link("/panel/operations/\($0)"))
        }
        let refused = found.at("refused")?.objects ?? []
        guard !refused.isEmpty, visit.may(.eventsRead) else { return hits }
        return hits + [Hit(kind: "Refused request", name: Shown.line(text), link: visit.link("/panel/log"))]
    }

    /// A user may be known by phones alone. Then only their cards can be read.
    private func isPerson(_ id: String, for visit: Visit) async throws -> Bool {
        if try await has(LocalCall.path("v1", "users", id), .peopleRead, for: visit) { return true }
        return try await has(LocalCall.path("v1", "users", id, "cards"), .peopleRead, for: visit)
    }

    /// Whether the API finds something. What the member may not read is not looked for.
    private func has(_ path: String, _ scope: KeyScope, for visit: Visit) async throws -> Bool {
        guard visit.may(scope) else { return false }
        do {
            _ = try await visit.read(path)
            return true
        } catch let problem as Problem where problem.status == .notFound || problem.status == .unprocessableContent {
            return false
        }
    }
}

extension Templates {
    static let search = [
        "search": """
        <h1>Search</h1>
        <form class="filters" action="{{action}}" role="search">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<label>User, device, activity, operation or request<input name="q" type="search" value="{{text}}" maxlength="256" dir="auto" autocomplete="off"></label><button class="btn primary">Search</button></form>
        {{#isEmpty}}<p class="sub">Names and ids are found as a whole. Press / on any page to search.</p>{{/isEmpty}}
        {{^isEmpty}}{{^hasHits}}<p class="empty">Nothing is called <bdi>{{text}}</bdi>. Names and ids are found as a whole, in the app that is chosen above.</p>{{/hasHits}}{{/isEmpty}}
        {{#hasHits}}<table><thead><tr><th scope="col">Found</th><th scope="col" class="t">Kind</th></tr></thead><tbody>{{#hits}}<tr><td class="name"><a href="{{link}}"><bdi>{{name}}</bdi></a></td><td class="t">{{kind}}</td></tr>{{/hits}}</tbody></table>{{/hasHits}}
        """
    ]
}
