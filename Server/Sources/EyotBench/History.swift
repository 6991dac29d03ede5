import EyotCommands
import EyotDomain
import EyotHTTP
import Foundation

/// A measurement of the answers to "what happened", in a store with very many cards and events. Their time should not
/// depend on how many there are.
public struct History: Sendable {
    /// The number of cards of the activity.
    public var cards: Int
    /// The number of events.
    public var events: Int
    /// The number of rounds.
    public var rounds: Int

    private static let name = "final"
    private static let goal = 100.0
    /// Events a second that the list of events should answer.
    private static let eventGoal = 20_000.0
    /// Calls of one kind in a round.
    private static let calls = 50
    /// Calls for all events in a round, and the events of each.
    private static let (pages, page) = (10, 10_000)

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - cards: 1,000 or more.
    ///   - events: 200,000 or more.
    ///   - rounds: 1 or more.
    public init(cards: Int, events: Int, rounds: Int) {
        (self.cards, self.events, self.rounds) = (cards, events, rounds)
    }

    /// The answers that are measured.
    private enum Question: String, CaseIterable {
        case why, whyNoCard, report, activity, replicas, behind, refused, stale, version, gone, log, errors, ofActivity,
            ofDevice

        /// The path, for a number that differs from call to call.
        func path(_ number: Int) -> String {
            switch self {
            case .why: "/v1/why?device=\(number)&activity=\(History.name)"
            case .whyNoCard: "/v1/why?device=\(number)"
            case .report: "/v1/activities/\(History.name)/report"
            case .activity: "/v1/activities/\(History.name)"
            case .replicas: "/v1/activities/\(History.name)/replicas?after=\(number)&limit=100"
            case .behind: "/v1/activities/\(History.name)/replicas?after=\(number)&behind=false&limit=100"
            case .refused: "/v1/activities/\(History.name)/replicas?after=\(number)&reason=Unregistered&limit=100"
            case .stale: "/v1/activities/\(History.name)/replicas?after=\(number)&shown=stale&limit=100"
            case .version: "/v1/activities/\(History.name)/versions/1/phones?after=\(number)"
            case .gone: "/v1/activities/\(History.name)/versions/1/phones?after=\(number)&outcome=gone"
            case .log: "/v1/log?limit=100"
            case .errors: "/v1/log?errors=true&limit=100"
            case .ofActivity: "/v1/log?activity=\(History.name)&limit=100"
            case .ofDevice: "/v1/log?device=\(number)&limit=100"
            }
        }
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        progress("filling a store with \(cards) cards")
        let bench = try await BenchStore()
        try await bench.fill(Self.name, replicas: cards)
        // Every card is behind it, so that a search for one that is not looks at as many as a call may.
        try await bench.declare(DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": 1])))
        progress("recording \(events) events")
        try await bench.record(events: events, of: Self.name, cards: cards)
        let key = try await bench.makeKey()
        var waits: [Question: [[Double]]] = [:]
        var rates: [Double] = []
        try await bench.withHTTP(limits: .none) { port in
            for round in 1...rounds {
                for question in Question.allCases {
                    let load = await ask(question, round, port, key)
                    guard load.answered == Self.calls else { throw BenchError.missing("\(question)") }
                    waits[question, default: []].append(load.waits)
                }
                rates.append(try await readAll(port, key))
                progress("round \(round) of \(rounds): \(Int(rates.last ?? 0)) events a second")
            }
        }
        try await bench.remove()
        return report(waits, rates)
    }

    private func ask(_ question: Question, _ round: Int, _ port: Int, _ key: Secret) async -> TimedLoad {
        let cards = cards
        return await HTTPLoad(port: port, connections: 1).timed(calls: Self.calls) { call in
            // A prime makes the numbers differ by much.
            Self.get(question.path(((round * Self.calls + call) * 7_919) % cards + 1), key)
        }
    }

    /// Reads pages of events one after the other.
    ///
    /// - Returns: Events a second.
    private func readAll(_ port: Int, _ key: Secret) async throws -> Double {
        let began = ContinuousClock.now
        let answers = await HTTPLoad(port: port, connections: 1).answers(calls: Self.pages) { call in
            Self.get("/v1/events?after=\(call * Self.page)&limit=\(Self.page)", key)
        }
        let seconds = began.duration(to: .now).seconds
        let lines = answers.values.reduce(0) { $0 + $1.body.count { $0 == UInt8(ascii: "\n") } }
        guard lines >= Self.pages * Self.page - Self.pages else { throw BenchError.missing("events: \(lines)") }
        return Double(lines) / seconds
    }

    private static func get(_ path: String, _ key: Secret) -> [UInt8] {
        let head = ["GET \(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(key.text)", "", ""]
        return Array(head.joined(separator: "\r\n").utf8)
    }

    private func report(_ waits: [Question: [[Double]]], _ rates: [Double]) -> BenchReport {
        var report = BenchReport(name: "history", rounds: rounds)
        report.add("cards", Double(cards), "")
        report.add("events", Double(events), "")
        for question in Question.allCases {
            let rounds = waits[question] ?? []
            let path = question.path(7).replacing("/v1/", with: "")
            report.add("\(path): median", rounds.map { BenchReport.quantile(0.5, of: $0) * 1_000 }, "ms")
            report.add(
                "\(path): slowest of \(Self.calls)", rounds.map { BenchReport.quantile(1, of: $0) * 1_000 }, "ms",
                goal: .atMost(Self.goal))
        }
        report.add("events a second by the list", rates, "", goal: .atLeast(Self.eventGoal))
        report.addPeakMemory()
        return report
    }
}
