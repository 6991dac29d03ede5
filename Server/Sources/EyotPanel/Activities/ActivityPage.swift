import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The page of one activity: what was declared, what became of it, and what to press.
struct ActivityPage {
    /// The beginning of the topic of an activity; its name follows.
    static let topic = "activity "

    let panel: Panel

    var routes: [Route] {
        [
            panel.page("/panel/activities/{name}") { visit in
                let name = try visit.call.parameter("name")
                let view = ActivityView(try await facts(of: name, for: visit), for: visit)
                return visit.show("Activity", "activity", view, live: Self.topic + name)
            }
        ]
    }

    /// Reads the fragments of the open pages of an activity.
    func look(at name: String, for visit: Visit) -> LiveHub.Look {
        {
            let view = ActivityView(try await facts(of: name, for: visit), for: visit)
            return ["head", "figures", "card", "way", "numbers", "story"].map { part in
                LiveFragment(id: "activity-\(part)", html: Templates.render(view, "activity.\(part)"))
            }
        }
    }

    /// What the API says of an activity.
    private func facts(of name: String, for visit: Visit) async throws -> ActivityFacts {
        let path = ActivityPath(name).call
        var facts = ActivityFacts(activity: try await visit.read(path))
        facts.report = try await visit.read("\(path)/report")
        facts.declarations =
            try await visit.read("\(path)/declarations", ["limit": "20"]).at("declarations")?.objects ?? []
        facts.findings = try await visit.read("/v1/findings", ["activity": name]).at("findings")?.objects ?? []
        // The call that started the cards is mostly the first, and it alone has their attributes.
        facts.attributes = facts.declarations.lazy.compactMap { $0.at("attributes") }.first
        if facts.attributes == nil, (facts.declarations.last?.count("version") ?? 1) > 1 {
            let first = try await visit.read("\(path)/declarations", ["before": "2", "limit": "1"])
            facts.attributes = first.at("declarations")?.objects.first?.at("attributes")
        }
        return facts
    }
}

/// The answers that the page of an activity is made of.
struct ActivityFacts {
    var activity: JSONValue
    var report: JSONValue = .null
    var declarations: [JSONValue] = []
    var findings: [JSONValue] = []
    /// The attributes of the cards, if they are known.
    var attributes: JSONValue?
}
