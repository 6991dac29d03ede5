import EyotDomain

/// How many phones can show Live Activities: now, and over the last 30 days.
struct AdoptionView {
    struct Level {
        var title: String
        var count: String
        var share: String
        var bars: Bars
    }

    private static let titles: [(AdoptionLevel, String)] = [
        (.devices, "Devices"), (.activitiesOn, "Allow Live Activities"), (.startToken, "Can be started remotely"),
        (.identified, "Have a user"),
    ]

    /// Days that are drawn, also those before the first one that is known.
    private static let days = 30

    let levels: [Level]

    init(_ reply: Reply) {
        let points = reply["points"].all
        let all = points.last?[AdoptionLevel.devices.rawValue].number ?? 0
        let last = points.last?["at"].instant?.second ?? 0
        levels = Self.titles.map { level, title in
            let known = points.suffix(Self.days).map { $0[level.rawValue].number ?? 0 }
            let counts = Array(repeating: 0, count: Self.days - known.count) + known
            let now = counts.last ?? 0
            return Level(
                title: title, count: Figures.count(now),
                share: level == .devices ? "" : "\(Figures.share(now, of: all)) %",
                bars: Bars(
                    .init(first: last - (Self.days - 1) * CountSpan.day, step: CountSpan.day, counts: counts),
                    width: 240, height: 36,
                    label: "\(title) over 30 days, \(Figures.count(now)) now"))
        }
    }
}
