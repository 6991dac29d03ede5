import EyotDomain
import Foundation

/// One activity on very many phones: what an update costs in engine and store, beside what a client of HTTP/2 costs.
public struct MatchNight: Sendable {
    /// Cards.
    public var replicas: Int
    /// Updates that are measured; the peer makes as many requests between them.
    public var rounds: Int

    private static let name = "final"
    /// Seconds for one update to reach everybody.
    private static let patience = 600.0

    /// - Parameters:
    ///   - replicas: cards, 1,000 or more.
    ///   - rounds: updates that are measured, 1 or more.
    public init(replicas: Int, rounds: Int) {
        self.replicas = replicas
        self.rounds = rounds
    }

    /// What one update took.
    private struct Round {
        var usage: ProcessUsage
        var firstPush: Double
        var lastVerdict: Double
        var peer: Double
    }

    /// - Parameter progress: told what is going on.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let peer = try Peer()
        let bench = try await BenchStore()
        progress("filling a store with \(replicas) cards")
        try await bench.fill(Self.name, replicas: replicas)
        var rounds: [Round] = []
        let pusher = AcceptingPusher()
        try await bench.withEngine(pushing: pusher) {
            // The first update is not measured: caches fill, and no push leaves in the engine's first second.
            for number in 0...self.rounds {
                let round = try await self.round(number, bench, pusher, peer)
                if number > 0 { rounds.append(round) }
                progress("update \(number) of \(self.rounds): \(String(format: "%.2f", round.lastVerdict)) s")
            }
        }
        try await bench.remove()
        return report(rounds)
    }

    private func round(
        _ number: Int, _ bench: BenchStore, _ pusher: AcceptingPusher, _ peer: Peer
    ) async throws -> Round {
        _ = pusher.take()
        let before = ProcessUsage.now
        try await bench.declare(
            DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
        let accepted = ContinuousClock.now
        // Who looks seldom is hardly counted in.
        try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(10))
        let lastVerdict = accepted.duration(to: .now)
        let usage = ProcessUsage.now - before
        let (pushes, first) = pusher.take()
        guard pushes == replicas, let first else { throw BenchError.lost(pushes: pushes, of: replicas) }
        return Round(
            usage: usage, firstPush: accepted.duration(to: first).seconds, lastVerdict: lastVerdict.seconds,
            peer: try peer.secondsPerRequest(requests: min(replicas, 200_000)))
    }

    private func report(_ rounds: [Round]) -> BenchReport {
        let count = Double(replicas)
        var report = BenchReport(name: "match-night", rounds: rounds.count)
        report.add("replicas", count, "")
        report.add("accept to first push", rounds.map { $0.firstPush * 1_000 }, "ms")
        report.add("accept to last verdict", rounds.map(\.lastVerdict), "s")
        report.add("engine and store, CPU per push", rounds.map { $0.usage.cpu / count * 1_000_000 }, "µs")
        report.add("h2load, CPU per request", rounds.map { $0.peer * 1_000_000 }, "µs")
        report.add("engine and store to h2load", rounds.map { $0.usage.cpu / count / $0.peer }, "")
        report.add("written per push", rounds.map { Double($0.usage.bytesWritten) / count }, "bytes")
        report.add("peak memory", Double(ProcessUsage.peakMemory) / 1_000_000, "MB")
        return report
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
