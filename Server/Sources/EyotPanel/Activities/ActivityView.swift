import EyotContract
import EyotDomain
import EyotHTTP

/// What the page of an activity shows.
struct ActivityView {
    struct Finding {
        var sentence: String
        var evidence: String
        var tone: String
    }

    struct CanaryLine {
        var sentence: String
        var tone: String
        var moment: Moment?
    }

    /// Declarations that are shown at once.
    private static let newest = 6

    let name: String
    let details: String
    let tag: String
    let tagTone: String
    let halted: String?
    let figures: [TonightView.FigureCard]
    let findings: [Finding]
    let canary: CanaryLine?
    let lockScreen: String
    let island: String
    let numbers: ActivityNumbers
    /// The newest declarations, and those before them.
    let story: [StoryLine]
    let earlier: [StoryLine]
    let hasStory: Bool
    let hasEarlier: Bool
    let token: String
    let mayHalt: Bool
    let isHalted: Bool
    let haltAction: String
    let mayUpdate: Bool
    let update: String
    let end: String
    let cards: String
    let report: String

    init(_ facts: ActivityFacts, for visit: Visit) {
        let (json, raw) = (facts.activity, facts.activity.at("name")?.string ?? "")
        let path = ActivityPath(raw)
        name = Shown.line(raw)
        let type = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        details = "\(type) · generation \(json.count("generation")) · version \(json.count("version"))"
        let (halt, state) = (json.at("halt"), json.at("state")?.string ?? "")
        (tag, tagTone) = halt != nil ? ("halted", "bad") : state == "active" ? ("running", "good") : (state, "")
        // The findings mostly say it, with what to do.
        halted = facts.findings.isEmpty ? halt.map(Self.sentence) : nil
        figures = Self.figures(json, facts.report)
        findings = facts.findings.map(Finding.init)
        canary = json.at("canary").map(CanaryLine.init)
        let fields = CardFields(attributes: facts.attributes, state: json.at("contentState"))
        let note = state == "ended" ? "ended" : json.at("contentState") == nil ? "nothing declared" : nil
        let drawing = CardDrawing(app: Shown.line(visit.seat.app.name), fields: fields, note: note)
        (lockScreen, island) = (drawing.lockScreen, drawing.island)
        numbers = ActivityNumbers(json, facts.report, pages: path.page, for: visit)
        let lines = StoryLine.all(facts.declarations) { visit.link(VersionPage.path($0, of: path)) }
        (story, earlier) = (Array(lines.prefix(Self.newest)), Array(lines.dropFirst(Self.newest)))
        (hasStory, hasEarlier) = (!story.isEmpty, !earlier.isEmpty)
        token = visit.member.formToken
        isHalted = halt != nil
        // A halt of the type or the app is lifted where it was made.
        let isOwn = halt.map { $0.at("by")?.string == "activity" } ?? (state != "ended")
        mayHalt = visit.may(.activitiesHalt) && isOwn
        haltAction = visit.link("\(path.page)/\(halt == nil ? "halt" : "resume")")
        mayUpdate = visit.may(.activitiesUpdate) && state != "ended"
        (update, end) = (visit.link("\(path.page)/update"), visit.link("\(path.page)/end"))
        (cards, report) = (
            visit.link("\(path.page)/cards"), visit.link("/panel/reports/\(PercentEncoding.encoded(raw))")
        )
    }

    private static func sentence(_ halt: JSONValue) -> String {
        let by = ["app": "The whole app is halted.", "type": "The type is halted."]
        let reason = halt.at("reason")?.string.map { " \(Shown.line($0))" } ?? ""
        return (by[halt.at("by")?.string ?? ""] ?? "The activity is halted.") + " What was declared is kept." + reason
    }

    private static func figures(_ json: JSONValue, _ report: JSONValue) -> [TonightView.FigureCard] {
        let live = Replica.runningWords.reduce(0) { $0 + json.count("phases", $1) }
        let now = json.at("stateAge", "now")
        let behind = now?.count("behind") ?? 0
        let oldest = Figures.seconds(behind > 0 ? now?.at("maxSeconds")?.double : nil)
        let (p50, p99) = (
            json.at("stateAge", "caughtUp", "p50")?.double,
            Figures.ageParts(json.at("stateAge", "caughtUp", "p99")?.double)
        )
        let (newest, reporting) = (report.count("shown", "newest"), report.count("shown", "reporting"))
        let stale = report.count("shown", "stale")
        let (refused, accepted) = (json.count("tally", "refused"), json.count("tally", "accepted"))
        return [
            .init(name: "Live cards", value: Figures.count(live), unit: ""),
            .init(
                name: "Behind at Apple", value: Figures.count(behind),
                unit: behind > 0 ? "oldest \(oldest.value) \(oldest.unit)" : ""),
            .init(
                name: "State age p99", value: p99.value,
                unit: p50 == nil ? "" : "\(p99.unit), half within \(Figures.age(p50))"),
            .init(
                name: "Show the newest state", value: Figures.share(newest, of: reporting),
                unit: "% of \(Figures.count(reporting)) reporting"
                    + (stale > 0 ? ", \(Figures.count(stale)) grey since their stale date" : "")),
            .init(
                name: "Refused", value: Figures.count(refused), unit: "of \(Figures.count(accepted + refused))"),
        ]
    }
}

extension ActivityView.Finding {
    fileprivate init(_ json: JSONValue) {
        sentence = Shown.line(json.at("sentence")?.string ?? "")
        let evidence = json.at("evidence")?.array?.compactMap(\.string) ?? []
        self.evidence = Shown.line(
            (evidence + [json.at("remedy")?.string].compactMap(\.self)).joined(separator: " "), limit: 1_000)
        let code = json.at("code")?.string.flatMap(FindingCode.init)
        tone = code?.isSevere == true ? "bad" : "warn"
    }
}

extension ActivityView.CanaryLine {
    /// What an operator can do before a canary goes on.
    private static let ways = "A halt stops it, and an update to all replaces it."

    fileprivate init(_ json: JSONValue) {
        let answers = """
            Apple accepted \(Figures.count(json.count("accepted"))), refused \(Figures.count(json.count("refused"))) \
            and did not answer \(Figures.count(json.count("unknown"))).
            """
        let subject = "Canary of version \(json.count("version")), \(json.at("percent")?.text ?? "?") % of the cards"
        switch json.at("state")?.string {
        case "delivering": (sentence, tone, moment) = ("\(subject): on its way. \(answers) \(Self.ways)", "info", nil)
        case "waiting":
            (sentence, tone) = ("\(subject): delivered. \(answers) \(Self.ways) It goes on to all others at", "info")
            moment = Moment(json.at("goesOnAt"))
        case "failed":
            (sentence, tone) = ("\(subject): failed. \(answers) The other cards keep the state before, since", "bad")
            moment = Moment(json.at("failedAt"))
        default:
            (sentence, tone) = ("\(subject): passed. \(answers) It went on to all others at", "good")
            moment = Moment(json.at("passedAt"))
        }
    }
}
