import EyotCommands
import EyotDomain
import EyotServer
import Foundation

/// A measurement of one activity on very many phones: the cost of an update by part, beside the cost of an HTTP/2
/// client.
public struct MatchNight: Sendable {
    /// The number of cards.
    public var replicas: Int
    /// The number of rounds. In each the peer makes the same number of requests, up to a limit.
    public var rounds: Int

    static let name = "final"
    /// The number of updates that come faster than they reach all cards.
    private static let burst = 10
    private static let betweenUpdates = Duration.milliseconds(100)
    /// The most seconds for one update to reach all cards.
    private static let patience = 600.0
    /// The most requests of the peer in a round.
    private static let peerRequests = 200_000

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - replicas: the number of cards, 1,000 or more.
    ///   - rounds: 1 or more.
    public init(replicas: Int, rounds: Int) {
        self.replicas = replicas
        self.rounds = rounds
    }

    /// The figures of an update.
    private struct Update {
        var cost: Cost
        var firstPush: Double
        var lastVerdict: Double
    }

    /// The same update without the sender and with it, and the peer between them.
    private struct Round {
        var alone: Update
        var sent: Update
        /// Microseconds per request of the peer.
        var peer: Double
    }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
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
                // The peer runs between the two, because the machine's speed may change within seconds.
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

    /// Measures one update.
    ///
    /// - Parameter number: the number in its state.
    private func update(_ number: Int, _ bench: BenchStore, _ pusher: BenchPusher) async throws -> Update {
        // No card is pushed twice in a second (R7). This time is not measured.
        try await Task.sleep(for: .seconds(1.1))
        _ = pusher.take()
        let before = ProcessUsage.now
        try await declare(number, bench)
        let accepted = ContinuousClock.now
        // Rare looks hardly add to the cost.
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
        /// The seconds from each acceptance to the first push of that state.
        var firstPushes: [Double]
        /// The seconds from the last acceptance until all cards had the last state.
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
            // A state that was superseded before its first push has no value.
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
