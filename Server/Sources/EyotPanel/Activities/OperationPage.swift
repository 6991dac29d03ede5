import EyotContract
import EyotDomain
import EyotHTTP

/// What became of one accepted call.
struct OperationPage {
    let panel: Panel

    struct View {
        struct Fact {
            var name: String
            var value: String
        }

        var id: String
        var activity: String
        var link: String
        var state: String
        var facts: [Fact]
        var accepted: Moment?
        var completed: Moment?
        var counts: [Funnel.Row]
        var warnings: [String]
        var hasWarnings: Bool
    }

    var routes: [Route] {
        [
            panel.page("/panel/operations/{id}") { visit in
                let id = try visit.call.parameter("id")
                let json = try await visit.read(LocalCall.path("v1", "operations", id))
                return visit.show("Operation", "operation", View(json, for: visit))
            }
        ]
    }
}

extension OperationPage.View {
    fileprivate init(_ json: JSONValue, for visit: Visit) {
        let raw = json.at("name")?.string ?? ""
        id = Shown.line(json.at("operation")?.string ?? "")
        (activity, link) = (Shown.line(raw), visit.link(ActivityPath(raw).page))
        state = json.at("state")?.string ?? ""
        let key = json.at("key")?.string
        let found: [(String, String?)] = [
            ("Call", json.at("verb")?.string), ("Outcome", json.at("outcome")?.string),
            ("Declared", "generation \(json.count("generation")), version \(json.count("version"))"),
            ("Key", key), ("Request", json.at("requestId")?.string),
            ("Caller's id of it", json.at("callerRequestId")?.string), ("Cards started", json.at("starting")?.text),
            ("Cards in its scope", json.at("members")?.text),
            ("Still pending", json.at("untold")?.text),
        ]
        facts = found.compactMap { name, value in value.map { Fact(name: name, value: Shown.line($0)) } }
        (accepted, completed) = (Moment(json.at("acceptedAt")), Moment(json.at("completedAt")))
        let counts = json.at("counts")
        self.counts =
            Funnel(
                steps: [
                    .init(name: "Accepted by Apple", count: counts?.count("accepted") ?? 0, tone: .good),
                    .init(name: "Refused", count: counts?.count("refused") ?? 0, tone: .bad),
                    .init(name: "Not answered", count: counts?.count("unknown") ?? 0, tone: .warn),
                    .init(name: "Superseded", count: counts?.count("superseded") ?? 0),
                ]
            ).rows
        warnings = (json.at("warnings")?.array ?? []).compactMap(\.string).map { Shown.line($0) }
        hasWarnings = !warnings.isEmpty
    }
}

extension Templates {
    static let operation = [
        "operation": """
        <div><h1>Operation {{id}} <span class="tag">{{state}}</span></h1><div class="sub"><a href="{{link}}"><bdi>{{activity}}</bdi></a></div></div>
        <div class="two"><section class="card"><dl class="facts">{{#facts}}<dt>{{name}}</dt><dd><bdi>{{value}}</bdi></dd>{{/facts}}{{#accepted}}<dt>Accepted</dt><dd><time datetime="{{machine}}">{{text}}</time></dd>{{/accepted}}{{#completed}}<dt>Completed</dt><dd><time datetime="{{machine}}">{{text}}</time></dd>{{/completed}}</dl></section>
        <section class="card"><h2>Pushes</h2><div class="funnel">{{#counts}}<div><span>{{name}}</span>{{{bar}}}<b>{{count}}</b><span class="sub">{{share}}</span></div>{{/counts}}</div></section></div>
        {{#hasWarnings}}<section class="card"><h2>Warnings</h2><ul class="warnings">{{#warnings}}<li><bdi>{{.}}</bdi></li>{{/warnings}}</ul></section>{{/hasWarnings}}
        """
    ]
}
