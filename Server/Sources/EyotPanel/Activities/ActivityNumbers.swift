import EyotContract
import EyotDomain
import EyotHTTP

/// The numbers of an activity, each with a link to the cards that it counts.
struct ActivityNumbers {
    struct Line {
        var name: String
        var meaning: String
        var count: String
        var link: String
    }

    struct Ages {
        var name: String
        var p50: String
        var p95: String
        var p99: String
        var count: String
    }

    let funnel: [Funnel.Row]
    let ages: [Ages]
    let phases: [Line]
    let hasPhases: Bool
    let reasons: [Line]
    let hasReasons: Bool
    let builds: [Build]
    let hasBuilds: Bool

    struct Build {
        var name: String
        var link: String
        var appeared: String
        var shown: String
        var refused: String
    }

    /// - Parameter page: the path of the activity's page.
    init(_ json: JSONValue, _ report: JSONValue, pages page: String, for visit: Visit) {
        func cards(_ query: KeyValuePairs<String, String> = [:]) -> String { visit.link("\(page)/cards", query) }
        let (way, shown) = (report.at("funnel") ?? .null, report.at("shown") ?? .null)
        funnel =
            Funnel(steps: [
                .init(name: "Targeted", count: way.count("targeted")),
                .init(name: "Eligible", count: way.count("eligible"), link: cards()),
                .init(name: "Start accepted", count: way.count("startsAccepted")),
                .init(name: "Card appeared", count: way.count("appeared"), link: cards(["phase": "live"])),
                .init(name: "Has a token", count: way.count("withToken")),
                .init(name: "Updated", count: way.count("updated")),
                .init(name: "Reports", count: way.count("reporting")),
                .init(
                    name: "Shows newest", count: shown.count("newest"), link: cards(["shown": "newest"]), tone: .good),
                .init(
                    name: "Shows another state", count: shown.count("older") + shown.count("otherState"),
                    link: cards(["shown": "older"]), tone: .warn),
                .init(
                    name: "Behind at Apple", count: json.count("stateAge", "now", "behind"),
                    link: cards(["behind": "true"]),
                    tone: .warn),
                .init(name: "Dismissed", count: way.count("dismissed"), link: cards(["phase": "dismissed"])),
            ]).rows
        ages = [
            Ages("Apple accepted", report.at("accepted", "age")), Ages("Phone showed", shown.at("age")),
        ]
        phases = Replica.words.compactMap { word in
            let count = json.count("phases", word)
            guard count > 0 else { return nil }
            return Line(
                name: word, meaning: CardWords.meaning(ofPhase: word), count: Figures.count(count),
                link: cards(["phase": word]))
        }
        let found = ["notStarted", "deaths"].flatMap { json.at($0)?.object?.members ?? [] }
        reasons = found.compactMap { member in
            guard let count = member.value.integer, count > 0 else { return nil }
            return Line(
                name: Shown.line(member.name), meaning: CardWords.meaning(ofReason: member.name),
                count: Figures.count(count), link: cards(["reason": member.name]))
        }
        builds = (report.at("by", "build")?.object?.members ?? []).prefix(20).map { member in
            Build(
                name: Shown.line(member.name), link: cards(["build": member.name]),
                appeared: Figures.count(member.value.count("appeared")),
                shown: Figures.count(member.value.count("shown")),
                refused: Figures.count(member.value.count("refused")))
        }
        (hasPhases, hasReasons, hasBuilds) = (!phases.isEmpty, !reasons.isEmpty, !builds.isEmpty)
    }
}

extension ActivityNumbers.Ages {
    init(_ name: String, _ json: JSONValue?) {
        func text(_ member: String) -> String { Figures.age(json?.at(member)?.double) }
        self.name = name
        (p50, p95, p99) = (text("p50"), text("p95"), text("p99"))
        count = Figures.count(json?.count("count") ?? 0)
    }
}
