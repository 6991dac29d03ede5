import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The cards of an activity, as the numbers of its page filter them.
struct CardsPage {
    /// What the list is filtered by, as the API names it.
    static let filters = ["phase", "shown", "reason", "build", "behind", "user"]
    /// Cards of a page.
    private static let limit = 50

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/activities/{name}/cards", query: Set(Self.filters + ["after"])) { visit in
                visit.show("Cards", "cards", try await view(for: visit))
            }
        ]
    }

    struct View {
        struct Filter {
            var name: String
            var label: String
            var value: String
            var options: [UpdateView.Choice]
            var isChoice: Bool
        }

        struct Row {
            var phone: CardPhone
            var phase: String
            var tone: String
            var reason: String?
            var meaning: String?
            var versions: String
            var shown: String
            var behind: Moment?
        }

        var name: String
        var back: String
        var action: String
        var app: String?
        var filters: [Filter]
        var rows: [Row]
        var hasRows: Bool
        var next: String?
    }

    private func view(for visit: Visit) async throws -> View {
        let raw = try visit.call.parameter("name")
        let path = ActivityPath(raw)
        var query = ["limit": String(Self.limit)]
        for name in Self.filters + ["after"] {
            if let value = visit.call.query[name], !value.isEmpty { query[name] = value }
        }
        let json = try await visit.read("\(path.call)/replicas", query)
        let rows = (json.at("replicas")?.objects ?? []).map { View.Row($0, of: raw, for: visit) }
        return View(
            name: Shown.line(raw), back: visit.link(path.page), action: "\(path.page)/cards",
            app: visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil,
            filters: Self.filters.map { Self.filter($0, query[$0] ?? "") }, rows: rows, hasRows: !rows.isEmpty,
            next: json.at("next")?.string.map { Self.link(path, query, after: $0, for: visit) })
    }

    private static func link(
        _ path: ActivityPath, _ query: [String: String], after: String, for visit: Visit
    ) -> String {
        let kept = filters.compactMap { name in query[name].map { "\(name)=\(PercentEncoding.encoded($0))" } }
        let link = visit.link("\(path.page)/cards", ["after": after])
        return ([link] + kept).joined(separator: "&")
    }

    private static func filter(_ name: String, _ value: String) -> View.Filter {
        let words = [
            "phase": Replica.words, "behind": ["true", "false"], "shown": ShownState.allCases.map(\.rawValue),
        ][name]
        let titles = ["true": "yes", "false": "no", "older": "another state", "unknown": "no report"]
        let options = words.map { words in
            [UpdateView.Choice(name: "", title: "any", isChosen: value.isEmpty)]
                + words.map { UpdateView.Choice(name: $0, title: titles[$0] ?? $0, isChosen: $0 == value) }
        }
        return View.Filter(
            name: name, label: name.prefix(1).uppercased() + name.dropFirst(), value: value, options: options ?? [],
            isChoice: options != nil)
    }
}

extension CardsPage.View.Row {
    fileprivate init(_ json: JSONValue, of activity: String, for visit: Visit) {
        phone = CardPhone(json, of: activity, for: visit)
        phase = json.at("phase")?.string ?? ""
        tone =
            [
                "live": "good", "followingChannel": "good", "channelLost": "bad", "dead": "bad", "quarantined": "bad",
                "notStarted": "warn",
            ][
                phase] ?? ""
        let word =
            json.at("reason")?.string ?? json.at("death", "reason")?.string ?? json.at("blocked", "reason")?.string
        reason = word.map { Shown.line($0) }
        meaning = word.map(CardWords.meaning(ofReason:)).flatMap { $0.isEmpty ? nil : $0 }
        versions = "\(json.count("accepted")) of \(json.count("desired"))"
        shown = json.at("shown", "version")?.text ?? (json.at("shown") == nil ? "–" : "another")
        behind = Moment(json.at("behindSince"))
    }
}

extension Templates {
    static let cards = [
        "cards": """
        <div><h1>Cards of <bdi>{{name}}</bdi></h1><div class="sub"><a href="{{back}}">Back to the activity</a></div></div>
        <form class="filters" method="get" action="{{action}}">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}{{#filters}}<label>{{label}}{{#isChoice}}<select name="{{name}}">{{/isChoice}}{{#options}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/options}}{{#isChoice}}</select>{{/isChoice}}{{^isChoice}}<input name="{{name}}" value="{{value}}" dir="auto" autocomplete="off">{{/isChoice}}</label>{{/filters}}<button class="btn">Filter</button></form>
        {{^hasRows}}<p class="empty">No card fits.{{#next}} Not all cards were looked at: go on for more.{{/next}}</p>{{/hasRows}}
        {{#hasRows}}<div class="scroll" tabindex="0" role="region" aria-label="Cards"><table><thead><tr><th scope="col">Card</th><th scope="col" class="t">Phase</th><th scope="col">Accepted</th><th scope="col" class="wide">Shows</th><th scope="col" class="wide t">User</th><th scope="col" class="wide t">Build</th><th scope="col" class="wide">Behind since</th><th scope="col"><span class="unseen">Why</span></th></tr></thead><tbody>
        {{#rows}}<tr>{{#phone}}{{>card.place}}{{/phone}}<td class="t"><span class="tag {{tone}}">{{phase}}</span>{{#reason}}<div class="sub" title="{{meaning}}"><bdi>{{reason}}</bdi></div>{{/reason}}</td><td>{{versions}}</td><td class="wide">{{shown}}</td>{{#phone}}{{>card.phone}}{{/phone}}<td class="wide">{{#behind}}<time datetime="{{machine}}">{{text}}</time>{{/behind}}</td>{{#phone}}{{>card.why}}{{/phone}}</tr>{{/rows}}
        </tbody></table></div>{{/hasRows}}
        {{#next}}<p><a class="btn" href="{{next}}">More cards</a></p>{{/next}}
        """
    ]
}
