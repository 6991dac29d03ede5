import EyotContract
import Foundation

/// The result of a demo.
struct DemoReport: Sendable {
    let cast: DemoCast
    /// The server's own counts of the activity.
    let tally: JSONObject
    /// Ages in seconds, ascending.
    let ages: [Double]
    /// How many pushes Apple answered with 410, because their tokens were dead.
    let deadTokens: Int
    let differences: [DemoCheck.Difference]

    /// Whether each phone shows what it should.
    var isGood: Bool { differences.isEmpty }

    private var rows: [(name: String, label: String, value: JSONValue)] {
        func age(_ share: Double) -> JSONValue {
            DemoMeasurement.quantile(share, of: ages).flatMap { .finite(($0 * 1_000).rounded() / 1_000) } ?? .null
        }
        return [
            ("phones", "phones", .integer(cast.parts.count)),
            ("starts", "started remotely", tally["started"] ?? .null),
            ("localStarts", "started by the app", .integer(cast.count(.local))),
            ("lateJoiners", "late joiners", .integer(cast.count(.late))),
            ("updatesAccepted", "updates accepted by Apple", tally["accepted"] ?? .null),
            ("superseded", "updates superseded", tally["superseded"] ?? .null),
            ("deadTokens", "pushes to dead tokens", .integer(deadTokens)),
            ("dismissed", "dismissed", .integer(cast.count(.dismisses))),
            ("neverAllowed", "never allowed", .integer(cast.count(.neverAllows))),
            ("offlineAtEnd", "offline at the end", .integer(cast.count(.offlineAtEnd))),
            ("stateAgeP50", "state age p50, seconds", age(0.5)),
            ("stateAgeP99", "state age p99, seconds", age(0.99)),
            ("stateAgeMax", "state age max, seconds", age(1)),
        ]
    }

    var json: JSONValue {
        var object = JSONObject(rows.map { ($0.name, $0.value) })
        object["good"] = .bool(isGood)
        object["differences"] = .array(
            differences.map { ["phone": .string($0.phone), "difference": .string($0.words)] })
        return .object(object)
    }

    /// The table, with the faults below it.
    var lines: [String] {
        let width = rows.map(\.label.count).max() ?? 0
        let table = rows.map { $0.label.padding(to: width) + "  " + Table.text(of: $0.value).leftPadding(to: 8) }
        let shown = cast.parts.count { !($0.incident?.isExcluded ?? false) }
        let verdict =
            isGood
            ? ["All \(shown) phones that can show the end show it."]
            : ["\(differences.count) phones show something else than they should:"]
                + differences.map { "  \($0.phone) \($0.words)" }
        return table + verdict
    }
}
