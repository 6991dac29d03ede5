import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotVendors
import Foundation

/// A measurement of accepted updates per second, each durable before it is answered, with the cost of each part. It
/// runs beside a hello-world of the same framework. There is no engine, so only accepting is measured.
public struct Accepting: Sendable {
    /// Activities of one card each.
    public var activities: Int
    /// The calls of each kind in one round.
    public var calls: Int
    /// The number of kept connections, each with one caller.
    public var connections: Int
    /// The number of rounds.
    public var rounds: Int

    /// The activity that gets all updates of one kind.
    private var one: String { BenchStore.order(activities + 1) }
    /// The goals: accepted updates per second, and the 99th percentile of their waits in seconds.
    private static let (rateGoal, waitGoal) = (5_000.0, 0.050)

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - activities: 1,000 or more.
    ///   - calls: calls of each kind in a round, 100 or more.
    ///   - connections: 1 or more.
    ///   - rounds: 1 or more.
    public init(activities: Int, calls: Int, connections: Int, rounds: Int) {
        self.activities = activities
        self.calls = calls
        self.connections = connections
        self.rounds = rounds
    }

    private typealias Round = [AcceptStep: MeasuredCalls]

    /// The callers and their keys.
    private struct Callers {
        var hello: HTTPLoad
        var api: HTTPLoad
        var key: Secret
        var braze: (secret: Secret, appID: String)
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchOutcome {
        let bench = try await BenchStore()
        progress("filling a store with \(activities) activities of one card")
        try await bench.fillOrders(activities + 1)
        let (key, braze) = (try await bench.makeKey(), try await bench.makeBrazeKey())
        var rounds: [Round] = []
        try await BenchStore.serve(HelloWorld()) { hello in
            try await bench.withHTTP(
                limits: .counting,
                routes: { AcceptRoutes(backend: $0).routes }
            ) { port in
                let callers = Callers(
                    hello: HTTPLoad(port: hello, connections: connections),
                    api: HTTPLoad(port: port, connections: connections), key: key, braze: braze)
                for number in 0...self.rounds {
                    let round = try await self.round(number, callers, bench)
                    // The first round fills caches.
                    if number > 0 { rounds.append(round) }
                    progress("round \(number) of \(self.rounds): \(Int(round[.many]?.rate ?? 0)) updates a second")
                }
            }
        }
        try await bench.remove()
        return BenchOutcome(report: report(rounds), complaints: complaints(rounds))
    }

    // MARK: One round

    private func round(_ number: Int, _ callers: Callers, _ bench: BenchStore) async throws -> Round {
        var round: Round = [:]
        for step in AcceptStep.allCases { round[step] = try await measure(step, number, callers, bench) }
        return round
    }

    private func measure(
        _ step: AcceptStep, _ round: Int, _ callers: Callers, _ bench: BenchStore
    ) async throws -> MeasuredCalls {
        let calls = self.calls
        let place = round * AcceptStep.allCases.count + (AcceptStep.allCases.firstIndex(of: step) ?? 0)
        let bytes = (0..<calls).map { call(step, place * calls + $0, callers) }
        return try await MeasuredCalls(step.rawValue, calls, in: bench.file()) {
            await (step == .hello ? callers.hello : callers.api).timed(calls: calls) { bytes[$0] }
        }
    }

    /// Returns the bytes of a call.
    ///
    /// - Parameter number: a number that is unique in the whole measurement.
    private func call(_ step: AcceptStep, _ number: Int, _ callers: Callers) -> [UInt8] {
        // The activities come in a scattered order, and none twice within a round.
        let order = BenchStore.order(1 + BenchStore.scattered(number, of: activities))
        let state = "{\"n\":\(number),\"status\":\"on its way\"}"
        let own = "{\"contentState\":\(state)}"
        return switch step {
        case .many: HTTPCall.post("/v1/activities/\(order)/update", own, bearer: callers.key.text)
        case .one: HTTPCall.post("/v1/activities/\(one)/update", own, bearer: callers.key.text)
        case .braze:
            HTTPCall.post(
                "/messages/live_activity/update",
                "{\"app_id\":\"\(callers.braze.appID)\",\"activity_id\":\"\(order)\",\"content_state\":\(state)}",
                bearer: callers.braze.secret.text)
        case .hello, .read, .known, .queued, .undone:
            HTTPCall.post("/bench/\(step.rawValue)/\(order)", own, bearer: callers.key.text)
        }
    }

    // MARK: What came of it

    private func report(_ rounds: [Round]) -> BenchReport {
        var report = BenchReport(name: "api", rounds: rounds.count)
        report.add("activities", Double(activities), "")
        report.add("connections", Double(connections), "")
        for (step, name) in [
            (AcceptStep.many, "updates"), (.one, "updates of one activity"), (.braze, "updates by Braze's API"),
            (.hello, "hello-world"),
        ] {
            add(name, step, rounds, to: &report)
        }
        report.addParts(
            of: "an update",
            [
                ("HTTP, of the framework", AcceptStep.hello), ("finding the route, and reading JSON", .read),
                ("key and limits", .known), ("a turn on the writer", .queued),
                ("the update, and undoing it", .undone), ("the commit", .many),
            ], rounds)
        report.addPeakMemory()
        return report
    }

    private func add(_ name: String, _ step: AcceptStep, _ rounds: [Round], to report: inout BenchReport) {
        let all = rounds.compactMap { $0[step] }
        // The other kinds have no goals.
        let hasGoals = step == .many
        report.add(
            name, calls: all, rate: hasGoals ? .atLeast(Self.rateGoal) : nil,
            p99: hasGoals ? .atMost(Self.waitGoal * 1_000) : nil)
        guard step.isAccepted else { return }
        report.add(name, writing: all)
        report.add(
            "\(name) to hello-world",
            rounds.map { ($0[step]?.rate ?? .nan) / ($0[.hello]?.rate ?? .nan) }, "")
    }

    /// Returns the goals that the median of the rounds missed.
    private func complaints(_ rounds: [Round]) -> [String] {
        let all = rounds.compactMap { $0[.many] }
        let rate = BenchReport.quantile(0.5, of: all.map(\.rate))
        let wait = BenchReport.quantile(0.5, of: all.map { $0.wait(0.99) })
        var complaints: [String] = []
        if rate < Self.rateGoal {
            complaints.append("\(Int(rate)) updates a second, and not \(Int(Self.rateGoal))")
        }
        if wait > Self.waitGoal {
            complaints.append("99 % answered within \(Int(wait * 1_000)) ms, and not \(Int(Self.waitGoal * 1_000))")
        }
        return complaints
    }
}
