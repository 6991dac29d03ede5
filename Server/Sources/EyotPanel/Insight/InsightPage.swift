import EyotContract
import EyotDomain
import EyotHTTP

/// How often something happened, over time, by kind and reason; and how many phones can show Live Activities.
struct InsightPage {
    static let path = "/panel/insight"

    let panel: Panel

    var routes: [Route] {
        [
            panel.page(Self.path, query: ["range", "group", "activity", KindFilter.parameter], show),
            PeopleOfEventPage(panel: panel).route,
        ]
    }

    private struct Choice {
        var name: String
        var title: String
        var link: String
        var isOn: Bool
    }

    private struct Row {
        var kind: String
        var meaning: String
        var reason: String?
        var reasonMeaning: String?
        var total: String
        var bars: Bars
        var who: String?
        var tone: String
    }

    private struct View {
        let action = InsightPage.path
        var app: String?
        var range: String
        var group: String
        var typedActivity: String
        var bucket: String
        var ranges: [Choice]
        var groups: [Choice]
        var kinds: [KindFilter.Group]
        var showsEvents: Bool
        var all: Bars?
        var total = ""
        var rows: [Row] = []
        var isEmpty = true
        var problem: FormProblem?
        var adoption: AdoptionView?
    }

    private func show(_ visit: Visit) async throws -> Answer {
        guard visit.may(.eventsRead) || visit.may(.activitiesRead) else {
            throw EyotError(.keyForbidden, "your role may read neither events nor activities")
        }
        let question = InsightQuestion(visit.call.query)
        var view = View(
            app: visit.appField, range: question.range.name, group: question.group,
            typedActivity: question.activity, bucket: question.range.bucket == "hour" ? "an hour" : "a day",
            ranges: InsightQuestion.ranges.map { range in
                Choice(
                    name: range.name, title: range.title, link: question.link(visit) { $0.range = range },
                    isOn: range.name == question.range.name)
            },
            groups: InsightQuestion.groups.map { name, title, _ in
                Choice(
                    name: name, title: title,
                    link: question.link(visit) { ($0.group, $0.kind) = (name, KindFilter()) },
                    isOn: name == question.group && question.kind.types == nil)
            },
            kinds: question.kind.groups(visit, counted: true),
            showsEvents: visit.may(.eventsRead))
        if view.showsEvents {
            do {
                try await read(question, into: &view, visit)
            } catch {
                let problem = try FormProblem(error)
                view.problem = problem
                return problem.marking(visit.show("Insight", "insight", view))
            }
        }
        if visit.may(.activitiesRead) { view.adoption = AdoptionView(try await visit.reply("/v1/insights/adoption")) }
        return visit.show("Insight", "insight", view)
    }

    private func read(_ question: InsightQuestion, into view: inout View, _ visit: Visit) async throws {
        let reply = try await visit.reply(question.call, question.query(at: visit.now))
        let steps = question.steps(of: reply)
        var sums = Array(repeating: 0, count: steps.count)
        for event in reply["events"].all {
            let counts = question.counts(of: event, in: steps)
            for (index, count) in counts.enumerated() { sums[index] += count }
            view.rows.append(row(event, counts, steps, question, visit))
        }
        let total = sums.reduce(0, +)
        (view.isEmpty, view.total) = (view.rows.isEmpty, Figures.count(total))
        view.all = Bars(
            .init(first: steps.first, step: steps.step, counts: sums), width: 1_000, height: 120,
            label: "\(Figures.count(total)) events over time")
    }

    /// What the names mean that are no kinds of events.
    private static let meanings = [
        "start.skipped": "A phone of a start's audience got no card.",
        "update.superseded": "A state never left for a card, because a newer one was there.",
    ]

    private func row(
        _ event: Reply, _ counts: [Int], _ steps: InsightQuestion.Steps, _ question: InsightQuestion, _ visit: Visit
    ) -> Row {
        let (name, reason) = (event["type"].raw ?? "", event["reason"].raw)
        let kind = EventKind(rawValue: name)
        let total = event["total"].count ?? "0"
        var who: String?
        if kind?.isOfDevice == true, visit.may(.peopleRead) {
            who = visit.link(
                PeopleOfEventPage.path(name),
                [("range", question.range.name)] + (reason.map { [("code", $0)] } ?? []))
        }
        return Row(
            kind: Shown.text(name), meaning: kind?.meaning ?? Self.meanings[name] ?? "", reason: event["reason"].text,
            reasonMeaning: PeopleOfEventPage.meaning(ofReason: reason), total: total,
            bars: Bars(
                .init(first: steps.first, step: steps.step, counts: counts), width: 240, height: 28,
                label: "\(name) over time, \(total) in all"),
            who: who,
            tone: kind.map { Fact($0, reason: reason).isError } == true ? "error" : "")
    }
}
