import EyotContract
import EyotDomain

/// What happened to the cards of a type in the last day, by hour.
struct TypeHours {
    struct Row {
        var title: String
        var total: String
        var bars: Bars
    }

    let rows: [Row]
    let isKept: Bool

    init(_ reply: Reply) {
        let (since, until) = (reply["since"].instant?.second ?? 0, reply["until"].instant?.second ?? 0)
        let count = max(0, (until - since) / CountSpan.hour)
        let hours = reply["hours"].all
        func row(_ title: String, _ read: (Reply) -> Int) -> Row {
            var counts = Array(repeating: 0, count: count)
            for hour in hours {
                guard let second = hour["at"].instant?.second else { continue }
                let index = (second - since) / CountSpan.hour
                if counts.indices.contains(index) { counts[index] += read(hour) }
            }
            let total = Figures.count(counts.reduce(0, +))
            return Row(
                title: title, total: total,
                bars: Bars(
                    .init(first: since, step: CountSpan.hour, counts: counts), width: 240, height: 28,
                    label: "\(title) by hour, \(total) in all"))
        }
        func member(_ names: String...) -> (Reply) -> Int {
            { hour in names.reduce(hour) { $0[$1] }.number ?? 0 }
        }
        rows = [
            row("Starts that Apple accepted", member("accepted", "starts")),
            row("Cards that appeared", member("funnel", "appeared")),
            row("Updates that Apple accepted", member("accepted", "updates")),
            row("Ends that Apple accepted", member("accepted", "ends")),
            row("Cards that ended", member("funnel", "ended")),
            row("States that phones reported", member("funnel", "shown")),
            row("Refused pushes") { $0["accepted"]["refused"].members.reduce(0) { $0 + ($1.value.number ?? 0) } },
            row("Cards that people removed", member("funnel", "dismissed")),
            row("Taps", member("funnel", "tapped")),
        ]
        isKept = reply["warnings"].all.isEmpty
    }
}
