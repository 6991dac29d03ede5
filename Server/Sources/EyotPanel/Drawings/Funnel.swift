/// The way of cards in steps, each with a bar for its share of the widest.
struct Funnel {
    struct Step: Equatable {
        var name: String
        var count: Int
        /// The page with those that a step counts; nil if there is none.
        var link: String?
        var tone = Tone.calm
    }

    /// A step as a page draws it.
    struct Row {
        var name: String
        var count: String
        var share: String
        var link: String?
        var bar: String
    }

    var steps: [Step]

    var rows: [Row] {
        let most = steps.map(\.count).max() ?? 0
        return steps.map { step in
            Row(
                name: step.name, count: Figures.count(step.count),
                share: most > 0 ? "\(Figures.share(step.count, of: most)) %" : "–", link: step.link,
                bar: Self.bar(step.count, of: most, step.tone))
        }
    }

    /// A bar that is filled by a share of its width.
    static func bar(_ part: Int, of whole: Int, _ tone: Tone = .calm) -> String {
        let share = whole > 0 ? min(1, max(0, Double(part) / Double(whole))) * 200 : 0
        // A part that is there can be seen.
        let width = part > 0 ? max(1, share) : 0
        return """
            <svg class="bar-line" viewBox="0 0 200 18" preserveAspectRatio="none" aria-hidden="true">\
            <rect class="rest" width="200" height="18"/>\
            <rect class="fill \(tone)" width="\(SVG.number(width))" height="18"/></svg>
            """
    }
}
