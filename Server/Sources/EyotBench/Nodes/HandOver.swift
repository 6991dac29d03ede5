import EyotContract
import EyotLab
import Foundation

/// How long phones wait for a state when the node that pushes to them has just ended.
struct HandOver: Sendable {
    let rounds: Int
    let executable: URL

    private static let phones = 24

    func add(to report: inout BenchReport, _ progress: @Sendable (String) -> Void) async throws {
        var configuration = LabConfiguration(phones: Self.phones, executable: executable)
        (configuration.nodes, configuration.database, configuration.types) = (3, .throwaway, [.match])
        configuration.serverLogLevel = "warning"
        let (killed, stopped) = try await Lab.run(configuration) { lab in
            try await lab.untilStartable()
            try await start(lab)
            return (try await rounds(of: .kill, lab, from: 1), try await rounds(of: .stop, lab, from: 1 + rounds))
        }
        for (name, waits) in [("is killed", killed), ("stops", stopped)] {
            progress("a node \(name): \(BenchReport.text(BenchReport.median(waits))) s until its phones are right")
            report.add("until phones are right when a node \(name)", waits, "s", goal: .atMost(15))
            report.add("the same, p99", BenchReport.quantile(0.99, of: waits), "s")
        }
    }

    /// Each phone gets an activity of its own, so that all nodes push some.
    private func start(_ lab: Lab) async throws {
        for number in 1...Self.phones {
            try await call(
                lab, number, "start",
                [
                    "type": "MatchAttributes", "attributes": ["home": "A", "away": "B"],
                    "audience": ["user": .string("user-\(number)")], "contentState": Self.state(0),
                    "alert": ["title": "A", "body": "B"],
                ])
        }
        try await shown(0, lab)
    }

    private func rounds(of end: LabNode.Action, _ lab: Lab, from first: Int) async throws -> [Double] {
        var waits: [Double] = []
        for score in first..<first + rounds {
            let node = "\(score % 3 + 1)"
            let began = ContinuousClock.now
            try await lab.perform(end, on: node)
            for number in 1...Self.phones {
                try await call(lab, number, "update", ["contentState": Self.state(score)])
            }
            try await shown(score, lab)
            waits.append(began.duration(to: .now).seconds)
            try await lab.perform(.start, on: node)
            // The nodes share the activities again within two of their beats.
            try await Task.sleep(for: .seconds(8))
        }
        return waits
    }

    private func call(_ lab: Lab, _ number: Int, _ verb: String, _ body: JSONValue) async throws {
        let answer = try await lab.api.call("POST", APIClient.path("v1", "activities", "a\(number)", verb), body: body)
        guard answer.status == 202 else { throw BenchError.refused(call: verb, reason: answer.problem) }
    }

    private func shown(_ score: Int, _ lab: Lab) async throws {
        try await lab.until {
            lab.phones.allSatisfy { phone in
                phone.state.cards.contains { $0.content.state.object?["homeScore"]?.integer == score }
            }
        }
    }

    private static func state(_ score: Int) -> JSONValue {
        ["homeScore": .integer(score), "awayScore": 0, "clock": "1"]
    }
}
