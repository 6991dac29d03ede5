import EyotContract
import EyotDomain
import EyotHTTP

/// What the page of a report shows.
struct ReportView {
    /// A number of this report beside the same one of another.
    struct Line {
        var name: String
        var count: String
        var share: String
        var bar: String
        var compared: String
        var comparedShare: String
    }

    struct AgeLine {
        var name: String
        var p50: String
        var p95: String
        var p99: String
        var max: String
        var count: String
    }

    struct Picture {
        var title: String
        var svg: String
        var foot: String
    }

    struct Table {
        struct Row {
            var name: String
            var values: [String]
        }

        var title: String
        /// What stands above the names of the rows.
        var head: String
        var rows: [Row]
    }

    static let columns = [
        "targeted", "eligible", "appeared", "updated", "reporting", "shown", "tapped", "ended", "dismissed", "refused",
    ]

    let name: String
    let link: String
    let details: String
    let state: String
    let began: Moment?
    let ended: Moment?
    let figures: [TonightView.FigureCard]
    let funnel: [Line]
    let ages: [AgeLine]
    let counts: [Line]
    let alerts: [Line]
    let pictures: [Picture]
    let hasPictures: Bool
    let tables: [Table]
    let columns = ReportView.columns
    let other: String?
    let action: String
    let appParameter: String?
    let generation: String
    let with: String
    let csv: String
    let json: String

    init(_ json: JSONValue, for visit: Visit) {
        let raw = json.at("name")?.string ?? ""
        name = Shown.line(raw)
        link = visit.link(ActivityPath(raw).page)
        let type = json.at("type")?.string.map { Shown.line($0) } ?? "no type"
        details = "\(type) · generation \(json.count("generation")) · version \(json.count("version"))"
        state = json.at("state")?.string == "active" ? "still running" : json.at("state")?.string ?? ""
        (began, ended) = (Moment(json.at("createdAt")), Moment(json.at("endedAt")))
        let compared = json.at("comparison")
        other = compared?.at("name")?.string.map { Shown.line($0) }
        figures = Self.figures(json)
        funnel = ReportNumbers.funnel(json, compared)
        ages = ReportNumbers.ages(json, compared, other: other)
        counts = ReportNumbers.answers(json, compared)
        alerts = ReportNumbers.alerts(json, compared)
        pictures = ReportNumbers.pictures(json)
        hasPictures = !pictures.isEmpty
        tables = ReportNumbers.tables(json)
        let path = "/panel/reports/\(PercentEncoding.encoded(raw))"
        action = path
        appParameter = visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil
        generation = String(json.count("generation"))
        with = compared?.at("name")?.string ?? ""
        csv = visit.link("\(path)/csv", ["generation": generation, "with": with])
        self.json = visit.link("\(path)/json", ["generation": generation, "with": with])
    }

    private static func figures(_ json: JSONValue) -> [TonightView.FigureCard] {
        let (way, shown) = (json.at("funnel") ?? .null, json.at("shown") ?? .null)
        let accepted = Figures.ageParts(json.at("accepted", "age", "p99")?.double)
        let seen = Figures.ageParts(shown.at("age", "p99")?.double)
        return [
            .init(name: "Cards that appeared", value: Figures.count(way.count("appeared")), unit: ""),
            .init(name: "Accepted by Apple, p99", value: accepted.value, unit: accepted.unit),
            .init(name: "Shown by phones, p99", value: seen.value, unit: seen.unit),
            .init(
                name: "Phones that report", value: Figures.share(way.count("reporting"), of: way.count("appeared")),
                unit: "% of the cards"),
            .init(name: "Dismissed", value: Figures.count(json.count("dismissed", "count")), unit: ""),
        ]
    }
}
