import EyotLab

/// A match as the declarations of a backend, step by step. The same match always gives the same script.
struct MatchScript: Sendable, Equatable {
    /// One declaration.
    struct Step: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case start, update, end
        }

        /// Minutes since kick-off, including stoppage time and breaks.
        var minute: Double
        var kind: Kind
        var state: MatchAttributes.ContentState
        /// Title and text, if the step lights up the lock screen; otherwise nil.
        var alert: Alert?
    }

    struct Alert: Sendable, Equatable {
        var title: String
        var body: String
    }

    /// The steps in the order of time. The first starts the activity, and the last ends it.
    private(set) var steps: [Step] = []
    /// When the 85th minute is played, measured like ``Step/minute``.
    private(set) var minute85 = 0.0

    /// Minutes of a break between two periods. Real breaks are longer, but nothing happens in them.
    private static let breakLength = 3.0
    /// Minutes of a shoot-out.
    private static let shootOutLength = 6.0

    private let home: String
    private let away: String
    private var score = Match.Score(home: 0, away: 0)
    private var lastEvent: String?

    /// The end of the script, in minutes since kick-off.
    var length: Double { steps.last?.minute ?? 0 }

    init(_ match: Match) {
        home = match.home
        away = match.away
        // The file does not say which of two goals in one minute came first.
        let goals = (match.homeGoals.map { ($0, true) } + match.awayGoals.map { ($0, false) })
            .sorted { $0.0.time < $1.0.time }
        let periods = MatchTime.Period.allCases.filter { match.hasExtraTime || $0 <= .secondHalf }
        var start = 0.0
        declare(.start, at: 0, "Kick-off", alert: Alert(title: "\(home) – \(away)", body: "Kick-off. \(match.round)"))
        for period in periods {
            let played = goals.filter { $0.0.time.period == period }
            let firstMinute = Self.firstMinute(of: period)
            if period == .secondHalf { minute85 = start + 85 - firstMinute }
            for (goal, isHome) in played {
                let minute = start + Double(goal.time.minute + goal.time.stoppage) - firstMinute
                add(goal, isHome: isHome, at: minute)
            }
            let stoppage = played.map(\.0.time.stoppage).max() ?? 0
            let end = start + Double(period.rawValue) - firstMinute + Double(stoppage) + 1
            whistle(period, at: end, match)
            start = end + Self.breakLength
        }
        finish(match, at: start)
    }

    /// Returns the minute on the clock at which a period begins.
    private static func firstMinute(of period: MatchTime.Period) -> Double {
        switch period {
        case .firstHalf: 0
        case .secondHalf: 45
        case .firstExtra: 90
        case .secondExtra: 105
        }
    }

    private mutating func add(_ goal: Match.Goal, isHome: Bool, at minute: Double) {
        if isHome { score.home += 1 } else { score.away += 1 }
        let kind = goal.isOwnGoal ? " (own goal)" : goal.isPenalty ? " (penalty)" : ""
        lastEvent = goal.scorer + kind
        declare(
            .update, at: minute, goal.time.description,
            alert: Alert(title: scoreLine, body: "\(goal.time) \(goal.scorer)\(kind)"))
    }

    /// Declares the end of a period, except between the halves of extra time.
    private mutating func whistle(_ period: MatchTime.Period, at minute: Double, _ match: Match) {
        switch period {
        case .firstHalf: declare(.update, at: minute, "Half-time")
        case .secondHalf:
            declare(.update, at: minute, "Full time", alert: Alert(title: scoreLine, body: "Full time"))
            guard match.hasExtraTime else { return }
            declare(.update, at: minute + Self.breakLength / 2, "Extra time")
        case .firstExtra: break
        case .secondExtra:
            declare(.update, at: minute, "After extra time", alert: Alert(title: scoreLine, body: "After extra time"))
        }
    }

    private mutating func finish(_ match: Match, at start: Double) {
        var end = start
        if let penalties = match.penalties {
            declare(.update, at: start, "Shoot-out")
            end += Self.shootOutLength
            lastEvent = "\(penalties.home)–\(penalties.away) on penalties"
            declare(.update, at: end, "Penalties", alert: Alert(title: scoreLine, body: lastEvent ?? ""))
            end += Self.breakLength
        }
        lastEvent = result(match)
        declare(.end, at: end, "Final", alert: Alert(title: scoreLine, body: lastEvent ?? ""))
    }

    private func result(_ match: Match) -> String {
        let (left, right) = match.penalties.map { ($0.home, $0.away) } ?? (score.home, score.away)
        let how = match.penalties.map { " \(max($0.home, $0.away))–\(min($0.home, $0.away)) on penalties" } ?? ""
        return left == right ? "A draw" : "\(left > right ? home : away) win\(how)"
    }

    private var scoreLine: String { "\(home) \(score.home)–\(score.away) \(away)" }

    private mutating func declare(_ kind: Step.Kind, at minute: Double, _ clock: String, alert: Alert? = nil) {
        let state = MatchAttributes.ContentState(
            homeScore: score.home, awayScore: score.away, clock: clock, lastEvent: lastEvent)
        steps.append(Step(minute: minute, kind: kind, state: state, alert: alert))
    }
}
