import EyotContract
import EyotDomain

/// The parts of a report as tables and pictures.
enum ReportNumbers {
    typealias Line = ReportView.Line

    static func funnel(_ json: JSONValue, _ other: JSONValue?) -> [Line] {
        lines(
            [
                ("Targeted", ["funnel", "targeted"]), ("Eligible", ["funnel", "eligible"]),
                ("Start accepted", ["funnel", "startsAccepted"]), ("Card appeared", ["funnel", "appeared"]),
                ("Had a token", ["funnel", "withToken"]), ("Updated", ["funnel", "updated"]),
                ("Reported", ["funnel", "reporting"]),
                ("Showed a declared state", ["funnel", "shown"]), ("Shows the newest", ["shown", "newest"]),
                ("Shows a stale state", ["shown", "stale"]),
                ("Tapped", ["funnel", "tapped"]), ("Ended", ["funnel", "ended"]),
                ("Dismissed", ["funnel", "dismissed"]),
                ("Over after eight hours", ["funnel", "lifetimeOver"]),
                ("Never allowed", ["funnel", "neverAllowed"]),
            ], json, other)
    }

    static func answers(_ json: JSONValue, _ other: JSONValue?) -> [Line] {
        let refused = (json.at("accepted", "refused")?.object?.members ?? []).map { member in
            (Shown.line("Refused: \(member.name)"), ["accepted", "refused", member.name])
        }
        return lines(
            [
                ("Pushes accepted", ["accepted", "pushes"]), ("Starts", ["accepted", "starts"]),
                ("Updates", ["accepted", "updates"]), ("Ends", ["accepted", "ends"]),
                ("Superseded, so never sent", ["accepted", "superseded"]),
                ("Not answered", ["accepted", "unanswered"]), ("Broadcasts accepted", ["broadcasts", "accepted"]),
            ] + refused, json, other)
    }

    static func alerts(_ json: JSONValue, _ other: JSONValue?) -> [Line] {
        lines(
            [
                ("Given", ["alerts", "given"]), ("Expired", ["alerts", "expired"]),
                ("Superseded", ["alerts", "superseded"]), ("Without room", ["alerts", "withoutRoom"]),
            ], json, other)
    }

    private static func lines(
        _ all: [(name: String, path: [String])], _ json: JSONValue, _ other: JSONValue?
    ) -> [Line] {
        let numbers = all.map { ($0.name, number(json, $0.path), other.map { [path = $0.path] in number($0, path) }) }
        let (most, otherMost) = (numbers.map(\.1).max() ?? 0, numbers.compactMap(\.2).max() ?? 0)
        return numbers.map { name, count, compared in
            Line(
                name: name, count: Figures.count(count),
                share: most > 0 ? "\(Figures.share(count, of: most)) %" : "–", bar: Funnel.bar(count, of: most),
                compared: compared.map(Figures.count) ?? "",
                comparedShare: compared.map { otherMost > 0 ? "\(Figures.share($0, of: otherMost)) %" : "–" } ?? "")
        }
    }

    private static func number(_ json: JSONValue, _ path: [String]) -> Int {
        path.reduce(Optional(json)) { $0?.object?[$1] }?.integer ?? 0
    }

    static func ages(_ json: JSONValue, _ other: JSONValue?, other name: String?) -> [ReportView.AgeLine] {
        func line(_ title: String, _ ages: JSONValue?) -> ReportView.AgeLine {
            func text(_ member: String) -> String { Figures.age(ages?.at(member)?.double) }
            return ReportView.AgeLine(
                name: title, p50: text("p50"), p95: text("p95"), p99: text("p99"), max: text("max"),
                count: Figures.count(ages?.count("count") ?? 0))
        }
        var lines = [
            line("Accepted by Apple", json.at("accepted", "age")), line("Shown by phones", json.at("shown", "age")),
        ]
        if let other, let name {
            lines += [
                line("\(name): accepted", other.at("accepted", "age")),
                line("\(name): shown", other.at("shown", "age")),
            ]
        }
        return lines
    }

    /// What happened over time, a picture for each number that ever counted.
    static func pictures(_ json: JSONValue) -> [ReportView.Picture] {
        let series = json.at("series")?.objects ?? []
        guard let first = Moment(series.first?.at("at")), let last = Moment(series.last?.at("at")) else { return [] }
        let all: [(title: String, path: [String], tone: Tone)] = [
            ("Cards that appeared", ["appeared"], .good), ("Pushes that Apple accepted", ["accepted"], .calm),
            ("Pushes that Apple refused", ["refused"], .bad), ("Cards that were dismissed", ["dismissed"], .warn),
            ("Taps", ["tapped"], .calm), ("Longest state age until accepted", ["acceptedAge", "max"], .warn),
        ]
        return all.compactMap { title, path, tone in
            let values = series.map { entry in path.reduce(Optional(entry)) { $0?.object?[$1] }?.double ?? 0 }
            guard values.contains(where: { $0 > 0 }) else { return nil }
            var picture = Histogram(name: title, values: values, ends: (first.text, last.text), tone: tone)
            if path.count > 1 {
                picture.isMaximum = true
                picture.label = { Figures.age($0) }
            }
            return ReportView.Picture(
                title: title, svg: picture.svg, foot: "Times are UTC. Older spans are longer than newer ones.")
        }
    }

    static func tables(_ json: JSONValue) -> [ReportView.Table] {
        [("iOS", "os"), ("Build", "build"), ("Language", "language"), ("Environment", "environment")]
            .compactMap { head, member in
                let rows = (json.at("by", member)?.object?.members ?? []).map { row in
                    ReportView.Table.Row(
                        name: Shown.line(row.name, limit: 60),
                        values: ReportView.columns.map { Figures.count(row.value.count($0)) })
                }
                let title = "By \(head == "iOS" ? head : head.lowercased())"
                return rows.isEmpty ? nil : ReportView.Table(title: title, head: head, rows: rows)
            }
    }
}
