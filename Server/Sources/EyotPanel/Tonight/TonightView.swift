import EyotContract
import EyotDomain
import EyotHTTP

/// What the first page shows.
struct TonightView {
    /// One of the five figures.
    struct FigureCard {
        var name: String
        var value: String
        var unit: String
    }

    /// A running activity, or a group of small ones.
    struct Row {
        var name: String
        var link: String?
        var details: String
        var tone: String
        var cards: String
        var behind: String
        var behindTone: String?
        var ages: String
        var shown: String
        var refused: String
        var recent: String
        var declared: Moment?
        var by: String?
        /// `halt` or `resume` if the member may do it here.
        var verb: String?
        var action: String?
        var isHalt = false
    }

    struct Planned {
        var name: String
        var link: String
        var details: String
        var at: Moment?
        var starting: String
    }

    let sentence: String
    /// Since when this server pushes; nil if it does not.
    let pushes: Moment?
    /// What is wrong with the server's clock; nil for nothing.
    let clock: String?
    let figures: [FigureCard]
    let rows: [Row]
    let hasRows: Bool
    let planned: [Planned]
    let hasPlanned: Bool
    let mayHalt: Bool
    let mayStart: Bool
    let start: String
    /// Where the whole app is halted.
    let app: String
    let token: String

    init(_ json: JSONValue, for visit: Visit) {
        mayHalt = visit.may(.activitiesHalt)
        (mayStart, start) = (visit.may(.activitiesStart), visit.link("/panel/start"))
        app = visit.link(AppPage.path) + "#pushing"
        token = visit.member.formToken
        let running = json.count("running")
        sentence = "\(Figures.count(running)) running" + (json.at("isComplete")?.bool == false ? " or more" : "")
        let pushing = visit.panel.backend.pushing.status(at: visit.panel.backend.clock.now)
        pushes = pushing.wait == nil ? pushing.beginsAt.map { Moment($0) } : nil
        clock = pushing.setBack.map { "its clock was set back by \(Figures.age($0.seconds))" }
        figures = Self.figures(json)
        rows =
            (json.at("activities")?.objects ?? []).map { Row($0, for: visit, mayHalt: visit.may(.activitiesHalt)) }
            + (json.at("others")?.objects ?? []).map { Row(others: $0, for: visit) }
        planned = (json.at("planned")?.objects ?? []).map { Planned($0, for: visit) }
        (hasRows, hasPlanned) = (!rows.isEmpty, !planned.isEmpty)
    }

    private static func figures(_ json: JSONValue) -> [FigureCard] {
        let (behind, age) = (
            Figures.seconds(json.at("behindSeconds")?.double), Figures.ageParts(json.at("stateAge", "p99")?.double)
        )
        let (newest, reporting) = (json.count("shown", "newest"), json.count("shown", "reporting"))
        let (refused, accepted) = (json.count("refused"), json.count("accepted"))
        return [
            FigureCard(name: "Live cards", value: Figures.count(json.count("cards")), unit: ""),
            FigureCard(name: "Oldest behind at Apple", value: behind.value, unit: behind.unit),
            FigureCard(name: "State age p99, last minute", value: age.value, unit: age.unit),
            FigureCard(
                name: "Show the newest state", value: Figures.share(newest, of: reporting),
                unit: "% of \(Figures.count(reporting)) reporting"),
            FigureCard(
                name: "Refused, last minute", value: Figures.count(refused),
                unit: "of \(Figures.count(accepted + refused))"),
        ]
    }
}

extension TonightView.Row {
    fileprivate init(_ json: JSONValue, for visit: Visit, mayHalt: Bool) {
        let raw = json.at("name")?.string ?? ""
        let path = ActivityPath(raw)
        let halt = json.at("halt", "by")?.string
        let age = json.at("behindSeconds")?.double
        let behind = Figures.seconds(age)
        let worst = Tone(age: age)
        name = Shown.line(raw)
        link = visit.link(path.page)
        let type = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        details = "\(type) · generation \(json.count("generation")) · version \(json.count("version"))"
        cards = Figures.count(json.count("cards"))
        self.behind = halt == nil ? "\(behind.value) \(behind.unit)" : "halted"
        behindTone = halt != nil ? "bad" : worst == .good ? nil : worst.rawValue
        tone = halt != nil ? "bad" : json.count("cards") == 0 ? "" : worst.rawValue
        let (p50, p99) = (json.at("stateAge", "p50")?.double, json.at("stateAge", "p99")?.double)
        ages = p99 == nil ? "–" : "\(Figures.age(p50)) / \(Figures.age(p99))"
        let (newest, reporting) = (json.count("shown", "newest"), json.count("shown", "reporting"))
        shown = reporting == 0 ? "–" : "\(Figures.share(newest, of: reporting)) %"
        refused = Figures.count(json.count("refused"))
        let values = json.at("recent")?.array?.map(\.double) ?? []
        recent =
            Sparkline(
                values: values, tone: Tone(age: values.last ?? nil),
                name: "Longest state age of each five minutes, two hours"
            ).svg
        declared = Moment(json.at("declaredAt"))
        by = (json.at("keyName")?.string).map { Shown.line($0, limit: 40) }
        guard mayHalt, halt == nil || halt == "activity" else { return }
        isHalt = halt == nil
        verb = halt == nil ? "Halt" : "Resume"
        action = visit.link("\(path.page)/\(halt == nil ? "halt" : "resume")")
    }

    fileprivate init(others json: JSONValue, for visit: Visit) {
        let raw = json.at("name")?.string ?? ""
        let more = json.count("activities") - 1
        name = Shown.line(raw) + (more > 0 ? " and \(Figures.count(more)) like it" : "")
        link = more > 0 ? nil : visit.link(ActivityPath(raw).page)
        details = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        (tone, cards, behind, ages) = ("", Figures.count(json.count("cards")), "–", "–")
        (shown, refused, recent) = ("–", "–", "")
    }
}

extension TonightView.Planned {
    fileprivate init(_ json: JSONValue, for visit: Visit) {
        let raw = json.at("name")?.string ?? ""
        name = Shown.line(raw)
        link = visit.link(ActivityPath(raw).page)
        details = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        at = Moment(json.at("startsAt"))
        starting = Figures.count(json.count("starting"))
    }
}

/// The paths of the pages and calls of one activity.
struct ActivityPath {
    let page: String
    let call: String

    init(_ name: String) {
        page = "/panel/activities/\(PercentEncoding.encoded(name))"
        call = LocalCall.path("v1", "activities", name)
    }
}
