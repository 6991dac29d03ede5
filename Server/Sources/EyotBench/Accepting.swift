import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotSQLite
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

    /// The result: the figures and the missed goals.
    public struct Outcome: Sendable {
        /// The figures.
        public var report: BenchReport
        /// The missed goals, in words.
        public var complaints: [String] = []
    }

    /// The figures of the calls of one kind.
    private struct Measured: Sendable {
        var load = TimedLoad()
        /// Microseconds of CPU per call, of the server and of its caller.
        var cpu = 0.0
        var callerCPU = 0.0
        var written = 0.0
        var statements = 0.0
        var commits = CommitTally()

        var rate: Double { Double(load.answered) / load.seconds }
        func wait(_ share: Double) -> Double { BenchReport.quantile(share, of: load.waits) }
    }

    private typealias Round = [AcceptStep: Measured]

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
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> Outcome {
        let bench = try await BenchStore()
        progress("filling a store with \(activities) activities of one card")
        try await bench.fillOrders(activities + 1)
        let (key, braze) = (try await bench.makeKey(), try await bench.makeBrazeKey())
        var rounds: [Round] = []
        try await BenchStore.serve(HelloWorld()) { hello in
            try await bench.withHTTP(
                limits: Self.limits,
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
        return Outcome(report: report(rounds), complaints: complaints(rounds))
    }

    /// Limits that count calls and are never reached.
    private static var limits: CallLimits {
        var limits = CallLimits()
        (limits.keyCallsPerHour, limits.appCallsPerHour) = (1_000_000_000, 1_000_000_000)
        return limits
    }

    // MARK: One round

    private func round(_ number: Int, _ callers: Callers, _ bench: BenchStore) async throws -> Round {
        var round: Round = [:]
        for step in AcceptStep.allCases { round[step] = try await measure(step, number, callers, bench) }
        return round
    }

    private func measure(
        _ step: AcceptStep, _ round: Int, _ callers: Callers, _ bench: BenchStore
    ) async throws -> Measured {
        let calls = self.calls
        let place = round * AcceptStep.allCases.count + (AcceptStep.allCases.firstIndex(of: step) ?? 0)
        let bytes = (0..<calls).map { call(step, place * calls + $0, callers) }
        let (statements, commits) = (try await bench.store.statementsRun(), bench.store.committed)
        let before = ProcessUsage.now
        var measured = Measured()
        measured.load = await (step == .hello ? callers.hello : callers.api).timed(calls: calls) { bytes[$0] }
        let used = ProcessUsage.now - before
        guard measured.load.answered == calls else {
            throw BenchError.refused(
                call: step.rawValue, reason: "\(calls - measured.load.answered) of \(calls) had no good answer")
        }
        measured.callerCPU = measured.load.cpu / Double(calls) * 1_000_000
        measured.cpu = used.cpu / Double(calls) * 1_000_000 - measured.callerCPU
        measured.written = Double(used.bytesWritten) / Double(calls)
        measured.commits = bench.store.committed - commits
        measured.statements = Double(try await bench.store.statementsRun() - statements) / Double(calls)
        return measured
    }

    /// Returns the bytes of a call.
    ///
    /// - Parameter number: a number that is unique in the whole measurement.
    private func call(_ step: AcceptStep, _ number: Int, _ callers: Callers) -> [UInt8] {
        // The activities come in a scattered order, and none twice within a round.
        let order = BenchStore.order(1 + number &* 7_368_787 % activities)
        let state = "{\"n\":\(number),\"status\":\"on its way\"}"
        let own = "{\"contentState\":\(state)}"
        return switch step {
        case .many: Self.post("/v1/activities/\(order)/update", own, callers.key)
        case .one: Self.post("/v1/activities/\(one)/update", own, callers.key)
        case .braze:
            Self.post(
                "/messages/live_activity/update",
                "{\"app_id\":\"\(callers.braze.appID)\",\"activity_id\":\"\(order)\",\"content_state\":\(state)}",
                callers.braze.secret)
        case .hello, .read, .known, .queued, .undone: Self.post("/bench/\(step.rawValue)/\(order)", own, callers.key)
        }
    }

    private static func post(_ path: String, _ body: String, _ key: Secret) -> [UInt8] {
        let head = [
            "POST \(path) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(key.text)",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
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
        addParts(rounds, to: &report)
        report.addPeakMemory()
        return report
    }

    private func add(_ name: String, _ step: AcceptStep, _ rounds: [Round], to report: inout BenchReport) {
        let all = rounds.compactMap { $0[step] }
        // The other kinds have no goals.
        let hasGoals = step == .many
        report.add("\(name) a second", all.map(\.rate), "", goal: hasGoals ? .atLeast(Self.rateGoal) : nil)
        for (share, words) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
            report.add(
                "\(name): wait, \(words)", all.map { $0.wait(share) * 1_000 }, "ms",
                goal: hasGoals && share == 0.99 ? .atMost(Self.waitGoal * 1_000) : nil)
        }
        report.add("\(name): CPU of the server", all.map(\.cpu), "µs")
        report.add("\(name): CPU of the caller", all.map(\.callerCPU), "µs")
        guard step.isAccepted else { return }
        report.add("\(name): written", all.map(\.written), "bytes")
        report.add("\(name): statements of the writer", all.map(\.statements), "")
        report.add("\(name): in one commit", all.map { Double($0.commits.writes) / Double($0.commits.commits) }, "")
        report.add("\(name): a commit", all.map { $0.commits.seconds / Double($0.commits.commits) * 1_000 }, "ms")
        report.add("\(name): time in commits", all.map { $0.commits.seconds / $0.load.seconds * 100 }, "%")
        report.add(
            "\(name) to hello-world",
            rounds.map { ($0[step]?.rate ?? .nan) / ($0[.hello]?.rate ?? .nan) }, "")
    }

    /// Adds the cost of each step beyond the one before.
    private func addParts(_ rounds: [Round], to report: inout BenchReport) {
        let parts: [(String, AcceptStep, AcceptStep?)] = [
            ("HTTP, of the framework", .hello, nil), ("finding the route, and reading JSON", .read, .hello),
            ("key and limits", .known, .read), ("a turn on the writer", .queued, .known),
            ("the update, and undoing it", .undone, .queued), ("the commit", .many, .undone),
        ]
        for (name, step, former) in parts {
            let cost = rounds.map { round in
                let before = former.map { round[$0]?.cpu ?? .nan } ?? 0
                return (round[step]?.cpu ?? .nan) - before
            }
            report.add("CPU of an update: \(name)", cost, "µs")
        }
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
