import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// A measurement of an update for very many cards of an activity, beside one for everyone. The members are found by
/// reading and processed in short transactions, none of which may take long.
public struct Scopes: Sendable {
    /// The number of cards of the activity.
    public var replicas: Int
    /// The number of rounds of each kind.
    public var rounds: Int

    private static let name = "final"
    private static let patience = 600.0
    /// The most seconds that a transaction should take.
    private static let limit = 0.010

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - replicas: 1,000 or more.
    ///   - rounds: 1 or more.
    public init(replicas: Int, rounds: Int) {
        self.replicas = replicas
        self.rounds = rounds
    }

    /// The figures of one round, in seconds.
    private struct Round {
        var freezing = 0.0
        var accepting = 0.0
        /// The time until all members were processed.
        var telling = 0.0
        /// The transactions that processed them.
        var transactions: [Double] = []
        /// The time from the call until nothing was left to push.
        var delivered = 0.0
        var everyone = 0.0
        var cpu = 0.0
        var everyoneCPU = 0.0
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        progress("filling a store with \(replicas) cards")
        let bench = try await BenchStore()
        try await bench.fill(Self.name, replicas: replicas)
        var results: [Round] = []
        try await bench.withEngine(pushing: BenchPusher()) {
            // Not measured: caches fill, and no push leaves in the engine's first second.
            _ = try await updateEveryone(bench)
            for number in 1...rounds {
                progress("round \(number)")
                var round = try await updateScope(bench)
                (round.everyone, round.everyoneCPU) = try await updateEveryone(bench)
                results.append(round)
            }
        }
        try await bench.remove()
        return report(results)
    }

    private func report(_ results: [Round]) -> BenchReport {
        let count = Double(replicas - 1)
        var report = BenchReport(name: "scopes", rounds: rounds)
        report.add("members", count, "")
        report.add("finding them, by reading", results.map { $0.freezing * 1_000 }, "ms")
        report.add("the call's transaction", results.map { $0.accepting * 1_000 }, "ms")
        report.add(
            "transactions that tell: median", results.map { BenchReport.quantile(0.5, of: $0.transactions) * 1_000 },
            "ms")
        report.add(
            "transactions that tell: p99", results.map { BenchReport.quantile(0.99, of: $0.transactions) * 1_000 }, "ms"
        )
        report.add("transactions: limit", Self.limit * 1_000, "ms")
        report.add("members told in a second", results.map { count / $0.telling }, "")
        report.add("from the call to the last verdict", results.map(\.delivered), "s")
        report.add("the same for everyone", results.map(\.everyone), "s")
        report.add("CPU for each member", results.map { $0.cpu / count * 1_000_000 }, "µs")
        report.add("CPU for each of everyone", results.map { $0.everyoneCPU / Double(replicas) * 1_000_000 }, "µs")
        return report
    }

    private func updateEveryone(_ bench: BenchStore) async throws -> (seconds: Double, cpu: Double) {
        let (began, usage) = (ContinuousClock.now, ProcessUsage.now)
        try await bench.declare(update(bench))
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
        return (began.duration(to: .now).seconds, (ProcessUsage.now - usage).cpu)
    }

    private func updateScope(_ bench: BenchStore) async throws -> Round {
        var request = update(bench)
        request.scope = .not(.device(DeviceID(rawValue: 1)))
        let (app, now, wanted) = (bench.app, bench.clock.now, request)
        var round = Round()
        let (began, usage) = (ContinuousClock.now, ProcessUsage.now)
        let frozen = try await bench.store.read { try FreezeMembers(Transaction($0, at: now), app: app)(wanted) }
        round.freezing = began.duration(to: .now).seconds
        round.accepting = try await bench.store.write { ledger in
            let began = ContinuousClock.now
            _ = try Declare(Transaction(ledger, at: now), app: app, frozen: frozen)(wanted)
            return began.duration(to: .now).seconds
        }
        let toldFrom = ContinuousClock.now
        while let list = try await bench.store.read({ try $0.memberLists(after: 0, limit: 1).first }) {
            let now = bench.clock.now
            round.transactions.append(
                try await bench.store.write { ledger in
                    let began = ContinuousClock.now
                    try ProcessMembers(Transaction(ledger, at: now))(list.id)
                    return began.duration(to: .now).seconds
                })
        }
        round.telling = toldFrom.duration(to: .now).seconds
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
        round.delivered = began.duration(to: .now).seconds
        round.cpu = (ProcessUsage.now - usage).cpu
        return round
    }

    private func update(_ bench: BenchStore) -> DeclarationRequest {
        let state: JSONValue = ["at": .string("\(bench.clock.now.microseconds)")]
        return DeclarationRequest(verb: .update, name: Self.name, content: Content(state: state))
    }
}
