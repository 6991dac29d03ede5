import EyotContract
import Foundation

/// A match from one of the demo's files.
struct Match: Sendable, Equatable {
    /// A goal that counts for one of the two teams.
    struct Goal: Sendable, Equatable {
        var scorer: String
        var time: MatchTime
        var isPenalty = false
        var isOwnGoal = false
    }

    /// The goals of both teams at some point.
    struct Score: Sendable, Equatable {
        var home: Int
        var away: Int
    }

    /// The position of the match in its file, from 1.
    var number: Int
    var round: String
    var date: String
    var home: String
    var away: String
    var homeGoals: [Goal] = []
    var awayGoals: [Goal] = []
    var hasExtraTime = false
    /// The result of the shoot-out; nil if there was none.
    var penalties: Score?

    /// Reads one element of `matches`. Members that the demo does not need are ignored.
    init(json: JSONValue, number: Int) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: "matches[\(number - 1)]")
        self.number = number
        round = try fields.required("round", fields.string("round"))
        date = try fields.required("date", fields.string("date"))
        home = try fields.required("team1", fields.string("team1"))
        away = try fields.required("team2", fields.string("team2"))
        var score = try fields.required("score", fields.fields("score"))
        hasExtraTime = try score.array("et") != nil
        if let shots = try score.array("p") {
            guard shots.count == 2, let home = shots[0].integer, let away = shots[1].integer else {
                throw score.invalid("p", "must be two whole numbers")
            }
            penalties = Score(home: home, away: away)
        }
        homeGoals = try Self.goals(&fields, "goals1", hasExtraTime)
        awayGoals = try Self.goals(&fields, "goals2", hasExtraTime)
    }

    private static func goals(
        _ fields: inout JSONFields, _ name: String, _ hasExtraTime: Bool
    ) throws(JSONFieldError) -> [Goal] {
        var goals: [Goal] = []
        for (index, element) in (try fields.array(name) ?? []).enumerated() {
            var goal = try JSONFields(element, at: "\(fields.path(of: name))[\(index)]")
            guard
                let time = MatchTime(
                    minute: try goal.required("minute", goal.value("minute")), offset: try goal.integer("offset"),
                    hasExtraTime: hasExtraTime)
            else { throw goal.invalid("minute", "is no minute of a match") }
            goals.append(
                Goal(
                    scorer: try goal.required("name", goal.string("name")), time: time,
                    isPenalty: try goal.bool("penalty") ?? false, isOwnGoal: try goal.bool("owngoal") ?? false))
        }
        return goals
    }
}

/// A minute of play in the usual notation: `23'`, `45+2'`, `118'`.
struct MatchTime: Sendable, Hashable, Comparable {
    /// The periods of a match, by their nominal last minute.
    enum Period: Int, Sendable, CaseIterable, Comparable {
        case firstHalf = 45
        case secondHalf = 90
        case firstExtra = 105
        case secondExtra = 120

        static func < (left: Period, right: Period) -> Bool { left.rawValue < right.rawValue }
    }

    /// From 1 to 120. In stoppage time it is the period's nominal last minute.
    let minute: Int
    /// Minutes of stoppage time; 0 outside it.
    let stoppage: Int

    init(minute: Int, stoppage: Int = 0) {
        self.minute = minute
        self.stoppage = stoppage
    }

    /// Reads a minute from a file: a number with an offset, or a text such as `90+3`. Without extra time each minute
    /// after the 90th counts as stoppage time. Nil if the value is not a minute.
    init?(minute value: JSONValue, offset: Int?, hasExtraTime: Bool) {
        let numbers =
            value.string.map { $0.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) } }
            ?? [value.integer]
        guard (1...2).contains(numbers.count), let minute = numbers[0] else { return nil }
        var stoppage = offset ?? 0
        if numbers.count == 2 {
            guard let second = numbers[1] else { return nil }
            stoppage = second
        }
        guard (1...120).contains(minute), (0...30).contains(stoppage) else { return nil }
        if minute > 90, !hasExtraTime {
            self.init(minute: 90, stoppage: minute - 90 + stoppage)
        } else {
            self.init(minute: minute, stoppage: stoppage)
        }
    }

    /// The period of the minute.
    var period: Period { Period.allCases.first { minute <= $0.rawValue } ?? .secondExtra }

    static func < (left: MatchTime, right: MatchTime) -> Bool {
        (left.minute, left.stoppage) < (right.minute, right.stoppage)
    }
}

extension MatchTime: CustomStringConvertible {
    /// Formatted as `45+2'`.
    var description: String { stoppage > 0 ? "\(minute)+\(stoppage)'" : "\(minute)'" }
}
