import EyotCommands
import EyotDomain
import EyotServer
import Foundation

/// One activity on very many phones: what an update costs by part, beside what a client of HTTP/2 costs.
public struct MatchNight: Sendable {
    /// Cards.
    public var replicas: Int
    /// How often it is measured; in each round the peer makes as many requests.
    public var rounds: Int

    static let name = "final"
    /// Updates that come faster than they reach everybody.
    private static let burst = 10
    private static let betweenUpdates = Duration.milliseconds(100)
    /// Seconds for one update to reach everybody.
    private static let patience = 600.0
    /// Requests of the peer in a round.
    private static let peerRequests = 200_000

    /// - Parameters:
    ///   - replicas: cards, 1,000 or more.
    ///   - rounds: 1 or more.
    public init(replicas: Int, rounds: Int) {
        self.replicas = replicas
        self.rounds = rounds
    }

    /// What an update took.
    private struct Update {
        var cost: Cost
        var firstPush: Double
        var lastVerdict: Double
    }

    /// The same update without the sender and with it, and the peer between them.
    private struct Round {
        var alone: Update
        var sent: Update
        /// Microseconds.
        var peer: Double
    }

    /// - Parameter progress: told what is going on.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let sink = try Sink()
        let peer = try Peer(sink)
        let bench = try await BenchStore()
        progress("filling a store with \(replicas) cards")
        try await bench.fill(Self.name, replicas: replicas, tokens: Sink.tokens)
        let pusher = BenchPusher(readingNumbers: true)
        let sender = try sink.sender()
        var (rounds, fast): ([Round], Burst?) = ([], nil)
        try await bench.withEngine(pushing: pusher, key: sink.key) {
            // The first updates are not measured: caches fill, and no push leaves in the engine's first second.
            for number in 0...self.rounds {
                let alone = try await update(2 * number, bench, pusher)
                // Between the two, since the machine may be slower or faster in a few seconds' time.
                let each = try peer.secondsPerRequest(requests: min(replicas, Self.peerRequests)) * 1_000_000
                pusher.lead(into: SenderPusher(sender: sender))
                let sent = try await update(2 * number + 1, bench, pusher)
                pusher.lead(into: nil)
                if number > 0 { rounds.append(Round(alone: alone, sent: sent, peer: each)) }
                progress(
                    "round \(number) of \(self.rounds): \(BenchReport.text(alone.lastVerdict)) s, "
                        + "\(BenchReport.text(sent.lastVerdict)) s with the sender")
            }
            pusher.lead(into: SenderPusher(sender: sender))
            fast = try await burst(from: 2 * self.rounds + 2, bench, pusher)
        }
        await sender.shutdown()
        try await bench.remove()
        return report(rounds, fast)
    }

    /// - Parameter number: what its state carries.
    private func update(_ number: Int, _ bench: BenchStore, _ pusher: BenchPusher) async throws -> Update {
        // No card is pushed twice in a second (R7); how long that takes is not asked here.
        try await Task.sleep(for: .seconds(1.1))
        _ = pusher.take()
        let before = ProcessUsage.now
        try await declare(number, bench)
        let accepted = ContinuousClock.now
        // Who looks seldom is hardly counted in.
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
        let (lastVerdict, used) = (accepted.duration(to: .now).seconds, ProcessUsage.now - before)
        let notes = pusher.take()
        guard notes.pushes == replicas, let first = notes.first else {
            throw BenchError.lost(pushes: notes.pushes, of: replicas)
        }
        return Update(
            cost: Cost(used, of: replicas), firstPush: accepted.duration(to: first).seconds, lastVerdict: lastVerdict)
    }

    private func declare(_ number: Int, _ bench: BenchStore) async throws {
        try await bench.declare(
            DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
    }

    // MARK: Faster than a lap

    private struct Burst {
        /// Seconds from each acceptance to the first push of that state.
        var firstPushes: [Double]
        /// Seconds from the last acceptance until everybody had the last state.
        var lastVerdict: Double
        var pushes: Int
    }

    private func burst(from number: Int, _ bench: BenchStore, _ pusher: BenchPusher) async throws -> Burst {
        _ = pusher.take()
        var accepted: [ContinuousClock.Instant] = []
        for index in 0..<Self.burst {
            if index > 0 { try await Task.sleep(for: Self.betweenUpdates) }
            try await declare(number + index, bench)
            accepted.append(.now)
        }
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
        let end = ContinuousClock.now
        let notes = pusher.take()
        let last = number + Self.burst - 1
        guard notes.counts[last, default: 0] >= 1 else { throw BenchError.lost(pushes: 0, of: replicas) }
        return Burst(
            // A state that was overtaken before anything of it had left has no first push.
            firstPushes: accepted.enumerated().compactMap { index, moment in
                notes.firsts[number + index].map { moment.duration(to: $0).seconds }
            },
            lastVerdict: (accepted.last ?? end).duration(to: end).seconds, pushes: notes.pushes)
    }

    // MARK: Figures

    private func report(_ rounds: [Round], _ burst: Burst?) -> BenchReport {
        var report = BenchReport(name: "match-night", rounds: rounds.count)
        let firsts = rounds.flatMap { [$0.alone.firstPush, $0.sent.firstPush] }
        report.add("replicas", Double(replicas), "")
        report.add("accept to first push", rounds.map { $0.sent.firstPush * 1_000 }, "ms")
        report.add(
            "the same, p99 of \(firsts.count)", BenchReport.quantile(0.99, of: firsts) * 1_000, "ms", goal: .atMost(100)
        )
        report.add("accept to last verdict, without the sender", rounds.map(\.alone.lastVerdict), "s")
        report.add("accept to last verdict", rounds.map(\.sent.lastVerdict), "s")
        report.add("engine and store, CPU per push", rounds.map(\.alone.cost.cpu), "µs")
        report.add("sender, CPU per push", rounds.map { $0.sent.cost.cpu - $0.alone.cost.cpu }, "µs")
        report.add("all of it, CPU per push", rounds.map(\.sent.cost.cpu), "µs")
        report.add("h2load, CPU per request", rounds.map(\.peer), "µs")
        report.add(
            "engine and store to h2load", rounds.map { $0.alone.cost.cpu / $0.peer }, "", goal: .atMost(1.0 / 3))
        report.add("all of it to h2load", rounds.map { $0.sent.cost.cpu / $0.peer }, "")
        report.add("written per push", rounds.map(\.sent.cost.written), "bytes")
        report.add("written per update", rounds.map { $0.sent.cost.written * Double(replicas) / 1_000_000 }, "MB")
        if let burst {
            let name = "\(Self.burst) updates in a second"
            report.add("\(name): accept to first push of each", burst.firstPushes.map { $0 * 1_000 }, "ms")
            report.add("\(name): pushes for each card", Double(burst.pushes) / Double(replicas), "")
            report.add("\(name): the last one's accept to last verdict", burst.lastVerdict, "s")
        }
        report.addPeakMemory(goal: .atMost(400))
        return report
    }
}
