import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// One declaration of an activity: the state itself, and what became of it on each phone.
struct VersionPage {
    private static let template = "/panel/activities/{name}/versions/{version}"
    private static let parameters: Set<String> = ["after", "outcome"]
    /// Phones of a page.
    private static let limit = "50"

    /// The page of a version.
    static func path(_ version: String, of activity: ActivityPath) -> String {
        "\(activity.page)/versions/\(PercentEncoding.encoded(version))"
    }

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.template, query: Self.parameters) { visit in
                visit.show("Version", "version", try await view(for: visit))
            },
            panel.page("\(Self.template)/csv", query: Self.parameters) { try await VersionFile.answer(to: $0) },
        ]
    }

    struct View {
        struct Row {
            var phone: CardPhone
            var outcome: String
            var tone: String
            var meaning: String
            var reason: String?
            var at: Moment?
            var apnsID: String?
            var shown: String
        }

        var name: String
        var version: String
        var back: String
        var action: String
        var app: String?
        var declared: StoryLine?
        var state: String?
        var outcomes: [UpdateView.Choice]
        var rows: [Row]
        var hasRows: Bool
        var table: String
        var next: String?
    }

    private func view(for visit: Visit) async throws -> View {
        let (raw, version) = (try visit.call.parameter("name"), try visit.call.parameter("version"))
        let path = ActivityPath(raw)
        var query = Self.query(visit)
        query["limit"] = Self.limit
        let answer = try await visit.ask(LocalCall(.get, Self.call(version, of: path), query: query))
        let rows = (answer.lines ?? []).map { View.Row($0, of: raw, version, for: visit) }
        let page = Self.path(version, of: path)
        let declared = try await declaration(version, path, visit)
        let outcome = query["outcome"] ?? ""
        return View(
            name: Shown.line(raw), version: Shown.line(version), back: visit.link(path.page), action: page,
            app: visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil,
            declared: declared.map { StoryLine($0, before: nil) },
            state: declared?.at("contentState").map { Shown.line($0.text, limit: 4_096) },
            outcomes: Self.outcomes(outcome), rows: rows, hasRows: !rows.isEmpty,
            table: visit.link("\(page)/csv", query.filter { $0.key != "limit" }.map { ($0.key, $0.value) }),
            next: answer.next.map {
                visit.link(page, [("after", $0)] + (outcome.isEmpty ? [] : [("outcome", outcome)]))
            })
    }

    /// The filters of a call.
    static func query(_ visit: Visit) -> [String: String] {
        visit.call.query.filter { parameters.contains($0.key) && !$0.value.isEmpty }
    }

    /// The call of the API that answers the phones.
    static func call(_ version: String, of activity: ActivityPath) -> String {
        "\(activity.call)/versions/\(PercentEncoding.encoded(version))/phones"
    }

    /// The declaration with its state; nil if it is no longer kept.
    private func declaration(_ version: String, _ path: ActivityPath, _ visit: Visit) async throws -> JSONValue? {
        guard let number = Int(version) else { return nil }
        let found = try await visit.read("\(path.call)/declarations", ["before": String(number + 1), "limit": "1"])
        return found.at("declarations")?.array?.first { $0.count("version") == number }
    }

    private static func outcomes(_ chosen: String) -> [UpdateView.Choice] {
        [UpdateView.Choice(name: "", title: "any", isChosen: chosen.isEmpty)]
            + VersionFate.words.map {
                UpdateView.Choice(name: $0, title: VersionWords.title(of: $0), isChosen: $0 == chosen)
            }
    }
}

extension VersionPage.View.Row {
    fileprivate init(_ json: JSONValue, of activity: String, _ version: String, for visit: Visit) {
        phone = CardPhone(json, of: activity, version, for: visit)
        let word = json.at("outcome")?.string ?? ""
        (outcome, tone, meaning) = (
            VersionWords.title(of: word), VersionWords.tone(of: word), VersionWords.meaning(of: word)
        )
        let said = json.at("reason")?.string
        reason = said.map { word in
            let meaning = CardWords.meaning(ofReason: word)
            return Shown.line(meaning.isEmpty ? word : "\(word): \(meaning)")
        }
        at = Moment(json.at("at"))
        apnsID = json.at("apnsId")?.string
        shown = json.at("shown", "version").map { "version \($0.text)" } ?? (json.at("shown") == nil ? "–" : "another")
    }
}

/// What the words of a declaration's fates mean, for people.
enum VersionWords {
    private static let all: [String: (title: String, tone: String, meaning: String)] = [
        "accepted": ("Accepted", "good", "Apple accepted the version for the card."),
        "due": ("On its way", "warn", "The version is the newest for the card, and has not reached Apple."),
        "withheld": ("Waits for the canary", "", "The version is tried with other cards first."),
        "superseded": ("Superseded", "", "The version never left for the card, because a newer one was there."),
        "notForCard": ("Not for this card", "", "The version was for other cards."),
        "leftOut": ("Cannot decode it", "bad", "The card's build cannot decode the version, so it was left out."),
        "refused": ("Refused", "bad", "Apple refuses the version for the card."),
        "notStarted": ("Not started", "warn", "The start of the card failed."),
        "gone": ("Gone before", "", "The card was gone before the version could leave."),
        "unknown": ("Not known any more", "", "What became of the version is no longer kept."),
    ]

    static func title(of word: String) -> String { all[word]?.title ?? word }

    static func tone(of word: String) -> String { all[word]?.tone ?? "" }

    static func meaning(of word: String) -> String { all[word]?.meaning ?? "" }
}

extension Templates {
    static let version = [
        "version": """
        <div class="bar"><div><h1>Version {{version}} of <bdi>{{name}}</bdi></h1><div class="sub"><a href="{{back}}">Back to the activity</a></div></div><div class="bar end"><a class="btn" href="{{table}}">CSV of all phones</a></div></div>
        <section class="card">{{#declared}}<ol class="story">{{>activity.line}}</ol>{{/declared}}{{#state}}<details><summary>The whole state</summary><pre><bdi>{{state}}</bdi></pre></details>{{/state}}{{^state}}<p class="sub">The version has no state that is still kept.</p>{{/state}}</section>
        <form class="filters" method="get" action="{{action}}">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<label>Outcome<select name="outcome">{{#outcomes}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/outcomes}}</select></label><button class="btn">Filter</button></form>
        {{^hasRows}}<p class="empty">No card fits.{{#next}} Not all cards were looked at: go on for more.{{/next}}</p>{{/hasRows}}
        {{#hasRows}}<div class="scroll" tabindex="0" role="region" aria-label="Phones"><table><thead><tr><th scope="col">Card</th><th scope="col" class="t">What became of it</th><th scope="col" class="t">When</th><th scope="col" class="wide">Last reported</th><th scope="col" class="wide t">User</th><th scope="col" class="wide t">Build</th><th scope="col"><span class="unseen">Why</span></th></tr></thead><tbody>
        {{#rows}}<tr>{{#phone}}{{>card.place}}{{/phone}}<td class="t"><span class="tag {{tone}}" title="{{meaning}}">{{outcome}}</span>{{#reason}}<div class="sub"><bdi>{{reason}}</bdi></div>{{/reason}}</td><td class="t">{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}{{#apnsID}}<div class="sub">{{apnsID}}</div>{{/apnsID}}</td><td class="wide">{{shown}}</td>{{#phone}}{{>card.phone}}{{/phone}}{{#phone}}{{>card.why}}{{/phone}}</tr>{{/rows}}
        </tbody></table></div>{{/hasRows}}
        {{#next}}<p><a class="btn" href="{{next}}">More phones</a></p>{{/next}}
        """
    ]
}
