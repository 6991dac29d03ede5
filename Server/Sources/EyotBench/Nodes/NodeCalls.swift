import EyotContract
import EyotLab
import Foundation

/// Calls that several nodes accept at the same time. Nothing is pushed.
struct NodeCalls: Sendable {
    let nodes: Int
    let updates: Int
    let rounds: Int
    let executable: URL

    /// Many, because nodes that change the same activity at the same time are in conflict.
    private static let activities = 5_000
    /// Calls go to activities far from each other, and have no divisor in common with their number.
    private static let stride = 1_777
    private static let connections = 32

    private struct Round {
        var rate: Double
        /// Microseconds of CPU of a call.
        var database: Double
        var nodes: Double
    }

    func add(to report: inout BenchReport, _ progress: @Sendable (String) -> Void) async throws {
        let results = try await Lab.run(configuration) { lab in
            let (ports, key) = (try await Self.ports(lab), await lab.description.apiKey)
            try await start(on: ports[0], key)
            var measured: [Round] = []
            for number in 0...rounds {
                let round = try await round(number, ports, key)
                if number > 0 { measured.append(round) }
            }
            return measured
        }
        progress("\(nodes) nodes: \(Int(BenchReport.median(results.map(\.rate)))) calls a second")
        report.add("calls that \(nodes) nodes accept a second", results.map(\.rate), "")
        report.add("CPU of a call in the database's processes", results.map(\.database), "µs")
        report.add("CPU of a call in the nodes", results.map(\.nodes), "µs")
    }

    private var configuration: LabConfiguration {
        var configuration = LabConfiguration(phones: 0, executable: executable)
        (configuration.nodes, configuration.database, configuration.types) = (nodes, .throwaway, [.match])
        configuration.serverLogLevel = "warning"
        configuration.serverSettings = ["EYOT_KEY_CALLS_PER_HOUR": "0", "EYOT_APP_CALLS_PER_HOUR": "0"]
        return configuration
    }

    private static func ports(_ lab: Lab) async throws -> [Int] {
        try await lab.nodes.map { node in
            guard let port = URL(string: node.http)?.port else { throw BenchError.missing("the port of \(node.name)") }
            return port
        }
    }

    private func start(on port: Int, _ key: String) async throws {
        let answered = await HTTPLoad(port: port, connections: Self.connections).run(calls: Self.activities) { number in
            HTTPCall.post(
                "/v1/activities/a\(number)/start",
                """
                {"type":"MatchAttributes","attributes":{"home":"A","away":"B"},"audience":{"user":"user-0"},\
                "contentState":{"homeScore":0,"awayScore":0,"clock":"1"},"alert":{"title":"A","body":"B"}}
                """, bearer: key)
        }
        guard answered == Self.activities else {
            throw BenchError.refused(call: "start", reason: "\(Self.activities - answered) had no good answer")
        }
    }

    private func round(_ number: Int, _ ports: [Int], _ key: String) async throws -> Round {
        let (calls, began) = (updates / ports.count, ContinuousClock.now)
        let (database, nodes) = (ProcessUsage.cpu(ofAllNamed: "postgres"), ProcessUsage.cpu(ofAllNamed: "eyot"))
        let answered = await withTaskGroup(of: Int.self) { group in
            for (place, port) in ports.enumerated() {
                let offset = place * Self.activities / ports.count
                group.addTask {
                    await HTTPLoad(port: port, connections: Self.connections).run(calls: calls) { call in
                        HTTPCall.post(
                            "/v1/activities/a\((call &* Self.stride &+ offset) % Self.activities)/update",
                            #"{"contentState":{"homeScore":\#(number),"awayScore":0,"clock":"1"}}"#, bearer: key)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        guard answered == calls * ports.count else {
            throw BenchError.refused(call: "update", reason: "\(calls * ports.count - answered) had no good answer")
        }
        let each = 1_000_000 / Double(answered)
        return Round(
            rate: Double(answered) / began.duration(to: .now).seconds,
            database: (ProcessUsage.cpu(ofAllNamed: "postgres") - database) * each,
            nodes: (ProcessUsage.cpu(ofAllNamed: "eyot") - nodes) * each)
    }
}
