import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import EyotServer
import EyotStore
import Foundation

/// A measurement of a start for very many phones until each has a place. The devices are found by reading, and places
/// are reserved in short transactions. The limit beside it is the same number of rows, without reading or deciding.
public struct Planning: Sendable {
    /// The number of phones in the audience.
    public var devices: Int
    /// The number of rounds.
    public var rounds: Int

    private static let tag = "fans"
    /// The goals: devices per second, and seconds of a transaction.
    private static let (rateGoal, transactionGoal) = (200_000.0, 0.010)
    /// The seconds between two rounds, so that no round uses up the phones' start budgets of another.
    private static let apart = 3 * TypeProfile.startWindow

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - devices: 1,000 or more.
    ///   - rounds: 1 or more.
    public init(devices: Int, rounds: Int) {
        self.devices = devices
        self.rounds = rounds
    }

    /// The figures of one round, in seconds.
    private struct Round: Sendable {
        var freezing = 0.0
        var accepting = 0.0
        /// The time until each device had a place, including the call's transaction.
        var planning = 0.0
        var transactions: [Double] = []
        /// The CPU time of finding and of planning.
        var freezingCPU = 0.0
        var planningCPU = 0.0
        var written = 0
        var statements = 0
        var commits = CommitTally()
        var limit = 0.0
        var limitCPU = 0.0
        var all: Double { freezing + planning }
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchOutcome {
        let clock = AdjustableClock()
        let bench = try await BenchStore(clock: clock)
        progress("filling a store with \(devices) phones")
        try await bench.fillStartable(devices, tag: Self.tag)
        var results: [Round] = []
        for number in 0...rounds {
            let round = try await round(number, bench)
            clock.advance(seconds: Self.apart)
            // The first round fills caches.
            if number > 0 { results.append(round) }
            progress("round \(number) of \(rounds): \(Int(Double(devices) / round.planning)) phones planned a second")
        }
        try await bench.remove()
        return BenchOutcome(report: report(results), complaints: complaints(results))
    }

    // MARK: One round

    private func round(_ number: Int, _ bench: BenchStore) async throws -> Round {
        let (name, app, now) = ("final-\(number)", bench.app, bench.clock.now)
        var request = DeclarationRequest(verb: .start, name: name, content: Content(state: ["n": 1]))
        (request.type, request.attributes, request.audience) = (BenchStore.type, ["home": "A"], .tag(Self.tag))
        let wanted = request
        var round = Round()
        let (began, usage) = (ContinuousClock.now, ProcessUsage.now)
        let frozen = try await bench.store.read { try FreezeMembers(Transaction($0, at: now), app: app)(wanted) }
        round.freezing = began.duration(to: .now).seconds
        round.freezingCPU = (ProcessUsage.now - usage).cpu
        let store = try bench.file()
        let (statements, commits) = (try await store.statementsRun(), store.committed)
        let (planned, before) = (ContinuousClock.now, ProcessUsage.now)
        round.accepting = try await Self.timed(bench) {
            _ = try Declare(Transaction($0, at: now), app: app, frozen: frozen)(wanted)
        }
        while let list = try await bench.store.read({ try $0.memberLists(after: 0, limit: 1).first }) {
            let now = bench.clock.now
            round.transactions.append(
                try await Self.timed(bench) { try ProcessMembers(Transaction($0, at: now))(list.id) })
        }
        round.planning = planned.duration(to: .now).seconds
        let used = ProcessUsage.now - before
        (round.planningCPU, round.written) = (used.cpu, used.bytesWritten)
        round.commits = store.committed - commits
        round.statements = try await store.statementsRun() - statements
        try await check(name, bench)
        try await limit(&round, number, bench)
        return round
    }

    /// Runs a transaction.
    ///
    /// - Returns: its seconds, including the commit.
    private static func timed(
        _ bench: BenchStore, _ body: @escaping @Sendable (any Ledger) throws -> Void
    ) async throws -> Double {
        let began = ContinuousClock.now
        try await bench.store.write(body)
        return began.duration(to: .now).seconds
    }

    /// Checks that each device has a place, and removes the places, so that rounds do not affect each other.
    private func check(_ name: String, _ bench: BenchStore) async throws {
        let app = bench.app
        let activity = try await bench.store.read { try $0.newestActivity(named: name, in: app) }
        guard let activity else { throw BenchError.missing(name) }
        guard activity.nextOrdinal == devices + 1 else {
            throw BenchError.lost(pushes: activity.nextOrdinal - 1, of: devices)
        }
        try await bench.forgetReplicas(of: activity.id)
    }

    /// Measures the same number of rows, in transactions of the same size.
    private func limit(_ round: inout Round, _ number: Int, _ bench: BenchStore) async throws {
        let (app, now) = (bench.app, bench.clock.now)
        let activity = try await bench.store.write {
            try $0.insertActivity(named: "limit-\(number)", in: app, generation: 1, type: BenchStore.type, at: now).id
        }
        let size = max(1, devices / max(1, round.transactions.count))
        let (began, usage) = (ContinuousClock.now, ProcessUsage.now)
        for first in stride(from: 1, through: devices, by: size) {
            let ordinals = first..<min(first + size, devices + 1)
            try await bench.store.write { ledger in
                for ordinal in ordinals {
                    try ledger.insert(
                        Replica(
                            activity: activity, ordinal: ordinal, device: DeviceID(rawValue: Int64(ordinal)),
                            phase: .starting, lease: Lease(version: 1), startsAt: now, createdAt: now))
                }
            }
        }
        round.limit = began.duration(to: .now).seconds
        round.limitCPU = (ProcessUsage.now - usage).cpu
        try await bench.forgetReplicas(of: activity)
    }

    // MARK: What came of it

    private func report(_ results: [Round]) -> BenchReport {
        let count = Double(devices)
        var report = BenchReport(name: "planning", rounds: rounds)
        report.add("phones", count, "")
        report.add("phones planned a second", results.map { count / $0.planning }, "")
        report.add(
            "phones found and planned a second", results.map { count / $0.all }, "", goal: .atLeast(Self.rateGoal))
        report.add("finding them, by reading", results.map { $0.freezing * 1_000 }, "ms")
        report.add("the call's transaction", results.map { $0.accepting * 1_000 }, "ms")
        for (share, words) in [(0.5, "median"), (0.99, "p99"), (1, "longest")] {
            report.add(
                "transactions: \(words)",
                results.map { BenchReport.quantile(share, of: $0.transactions) * 1_000 }, "ms",
                goal: share == 0.99 ? .atMost(Self.transactionGoal * 1_000) : nil)
        }
        report.add("phones in a transaction", results.map { count / Double($0.commits.commits) }, "")
        report.add("time in commits", results.map { $0.commits.seconds / $0.planning * 100 }, "%")
        report.add("CPU for each phone: finding it", results.map { $0.freezingCPU / count * 1_000_000 }, "µs")
        report.add("CPU for each phone: planning", results.map { $0.planningCPU / count * 1_000_000 }, "µs")
        report.add("statements for each phone", results.map { Double($0.statements) / count }, "")
        report.add("written for each phone", results.map { Double($0.written) / count }, "bytes")
        report.add("rows of places a second, and nothing else", results.map { count / $0.limit }, "")
        report.add("CPU for each row", results.map { $0.limitCPU / count * 1_000_000 }, "µs")
        report.add("phones planned to rows", results.map { $0.limit / $0.planning }, "")
        report.addPeakMemory()
        return report
    }

    /// Returns the goals that the median of the rounds missed.
    private func complaints(_ results: [Round]) -> [String] {
        let rate = BenchReport.quantile(0.5, of: results.map { Double(devices) / $0.all })
        let transaction = BenchReport.quantile(0.5, of: results.map { BenchReport.quantile(0.99, of: $0.transactions) })
        var complaints: [String] = []
        if rate < Self.rateGoal {
            complaints.append("\(Int(rate)) phones planned a second, and not \(Int(Self.rateGoal))")
        }
        if transaction > Self.transactionGoal {
            complaints.append("99 % of the transactions within \(BenchReport.text(transaction * 1_000)) ms, and not 10")
        }
        return complaints
    }
}

extension BenchStore {
    /// Fills the store with phones that have a tag, a start token and no card.
    fileprivate func fillStartable(_ count: Int, tag: String) async throws {
        for first in stride(from: 1, through: count, by: 5_000) {
            try await addStartable(first..<min(first + 5_000, count + 1), tag: tag)
        }
    }

    /// Removes an activity's replicas.
    fileprivate func forgetReplicas(of activity: ActivityID) async throws {
        while try await store.write({ try $0.removeReplicas(of: activity, limit: 5_000) }) > 0 {}
    }
}
