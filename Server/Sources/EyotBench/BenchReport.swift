import EyotContract
import Foundation

/// Figures with their units: the median of the rounds, the best and the worst.
public struct BenchReport: Sendable {
    /// The goal of a figure, in its unit. It is shown beside the figure. Only some scenarios exit with 1 if it is
    /// missed, and say so.
    enum Goal: Sendable {
        case atMost(Double)
        case atLeast(Double)

        /// The goal's name in the JSON object, and its value.
        fileprivate var member: (name: String, value: Double) {
            switch self {
            case .atMost(let value): ("atMost", value)
            case .atLeast(let value): ("atLeast", value)
            }
        }

        fileprivate var words: String {
            switch self {
            case .atMost(let value): "at most \(BenchReport.text(value))"
            case .atLeast(let value): "at least \(BenchReport.text(value))"
            }
        }
    }

    private struct Figure: Sendable {
        var name: String
        var values: [Double]
        var unit: String
        var goal: Goal?

        var median: Double { BenchReport.median(values) }
    }

    /// The scenario.
    public let name: String
    /// The number of rounds.
    public let rounds: Int
    private var figures: [Figure] = []

    init(name: String, rounds: Int) {
        self.name = name
        self.rounds = rounds
    }

    mutating func add(_ name: String, _ values: [Double], _ unit: String, goal: Goal? = nil) {
        figures.append(Figure(name: name, values: values, unit: unit, goal: goal))
    }

    mutating func add(_ name: String, _ value: Double, _ unit: String, goal: Goal? = nil) {
        add(name, [value], unit, goal: goal)
    }

    /// The machine's cores and memory.
    public static var machine: String {
        let process = ProcessInfo.processInfo
        return "\(process.activeProcessorCount) cores, \(process.physicalMemory / 1_073_741_824) GiB"
    }

    /// Lines for people.
    public var lines: [String] {
        let width = figures.map(\.name.count).max() ?? 0
        return ["\(name): median of \(rounds) rounds (lowest to highest), \(Self.machine)"]
            + figures.map { figure in
                let name = figure.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
                let value = "\(Self.text(figure.median)) \(figure.unit)".trimmingCharacters(in: .whitespaces)
                let goal = figure.goal.map { "; goal: \($0.words) \(figure.unit)" }?
                    .trimmingCharacters(in: .whitespaces)
                guard figure.values.count > 1, let least = figure.values.min(), let most = figure.values.max() else {
                    return "\(name)\(value)\(goal ?? "")"
                }
                return "\(name)\(value) (\(Self.text(least)) to \(Self.text(most)))\(goal ?? "")"
            }
    }

    /// An object for programs.
    public var json: JSONValue {
        .object(
            JSONObject([
                ("name", .string(name)), ("rounds", .integer(rounds)), ("machine", .string(Self.machine)),
                ("figures", .array(figures.map(Self.object))),
            ]))
    }

    private static func object(_ figure: Figure) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("name", .string(figure.name)), ("unit", .string(figure.unit)), ("median", number(figure.median)),
            ("values", .array(figure.values.map(number))),
        ]
        if let (name, value) = figure.goal?.member {
            members.append(("goal", .object(JSONObject([(name, number(value))]))))
        }
        return .object(JSONObject(members))
    }

    private static func number(_ value: Double) -> JSONValue {
        (try? JSONValue(parsing: Array(text(value).utf8))) ?? .null
    }

    /// Returns the middle value, or the mean of the two middle values.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let middle = sorted.dropFirst(sorted.count / 2).first else { return .nan }
        return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + middle) / 2 : middle
    }

    /// Returns the value that this share of the values does not exceed.
    static func quantile(_ share: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }

    /// Returns a number with three significant digits, or all digits of a whole number.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        if value.rounded() == value || abs(value) >= 1_000 { return String(format: "%.0f", value) }
        let decimals = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
        return String(format: "%.\(decimals)f", value)
    }
}

/// The result of a measurement that can miss its goals.
public struct BenchOutcome: Sendable {
    /// The figures.
    public var report: BenchReport
    /// The missed goals, in words.
    public var complaints: [String] = []
}
