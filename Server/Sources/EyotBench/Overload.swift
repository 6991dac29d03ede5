import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import Foundation

/// A measurement of ten times more declarations than the sink accepts. States are skipped, and age, memory, alerts and
/// ends keep their bounds.
public struct Overload: Sendable {
    /// The number of cards.
    public var replicas: Int
    /// The number of rounds.
    public var rounds: Int
    /// The seconds of each round.
    public var seconds: Double

    private static let name = "final"
    /// The factor by which one update per second exceeds the sink's rate.
    private static let excess = 10
    private static let patience = 600.0

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - replicas: the number of cards, 1,000 or more.
    ///   - rounds: 1 or more.
    ///   - seconds: the seconds of each round.
    public init(replicas: Int, rounds: Int, seconds: Double) {
        self.replicas = replicas
        self.rounds = rounds
        self.seconds = seconds
    }

    /// The figures of some seconds under load.
    private struct Round {
        var ages: AgeHistogram
        var pushes: Int
        var alerts: Int
        var memory: Int
    }

    /// The sink's rate in pushes per second.
    private var rate: Int { replicas / Self.excess }

    /// Runs the measurement.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let bench = try await BenchStore()
        progress("filling a store with \(replicas) cards")
        try await bench.fill(Self.name, replicas: replicas)
        let sink = NarrowSink(pushesPerSecond: rate)
        let pusher = BenchPusher(readingNumbers: true)
        pusher.lead(into: sink)
        var (rounds, number, ended, endAge): ([Round], Int, Int, Double) = ([], 0, 0, 0)
        try await bench.withEngine(pushing: pusher) {
            // The first lap is not measured, because no card is behind yet.
            for round in 0...self.rounds {
                let measured = try await self.round(&number, sink, pusher, bench)
                if round > 0 { rounds.append(measured) }
                progress("round \(round) of \(self.rounds): \(measured.pushes) pushes")
            }
            let begin = ContinuousClock.now
            try await declare(.end, &number, sink, bench)
            try await bench.rest(of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25))
            (ended, endAge) = (pusher.take().ends, begin.duration(to: .now).seconds)
        }
        let tally = try await tally(bench)
        try await bench.remove()
        return report(rounds, sink, tally, ended: ended, endAge)
    }

    /// Declares an update each second. The first one has an alert.
    private func round(
        _ number: inout Int, _ sink: NarrowSink, _ pusher: BenchPusher, _ bench: BenchStore
    ) async throws -> Round {
        let before = try await tally(bench)
        _ = pusher.take()
        let begin = ContinuousClock.now
        var count = 0.0
        while count < seconds {
            try await declare(.update, &number, sink, bench, hasAlert: count == 0)
            count += 1
            try await Task.sleep(until: begin + .seconds(count))
        }
        let (after, notes) = (try await tally(bench), pusher.take())
        return Round(
            ages: after.ages.since(before.ages), pushes: notes.pushes, alerts: notes.alerts,
            memory: ProcessUsage.memory())
    }

    private func declare(
        _ verb: DeclarationRequest.Verb, _ number: inout Int, _ sink: NarrowSink, _ bench: BenchStore,
        hasAlert: Bool = false
    ) async throws {
        number += 1
        var content = Content(state: ["n": .integer(number)])
        if hasAlert {
            content.alert = Alert(
                body: ["title": "Goal", "body": "Now"], expiresAt: bench.clock.now + Alert.defaultLifetime)
        }
        try await bench.declare(DeclarationRequest(verb: verb, name: Self.name, content: content))
        sink.declared(number)
    }

    private func tally(_ bench: BenchStore) async throws -> Tally {
        let app = bench.app
        let found = try await bench.store.read { try $0.newestActivity(named: Self.name, in: app)?.tally }
        guard let found else { throw BenchError.missing(Self.name) }
        return found
    }

    private func report(
        _ rounds: [Round], _ sink: NarrowSink, _ tally: Tally, ended: Int, _ endAge: Double
    ) -> BenchReport {
        let (all, inFlight) = (Double(replicas), EngineCore.Limits().pushesPerApp)
        var report = BenchReport(name: "overload", rounds: rounds.count)
        report.add("replicas, each with an update a second", all, "")
        report.add("pushes a second that the sink takes", Double(rate), "")
        report.add("pushes a second", rounds.map { Double($0.pushes) / seconds }, "")
        report.add("bound of the state age: a lap, and what is in flight", (all + Double(inFlight)) / Double(rate), "s")
        report.add("state age, median", rounds.map { $0.ages.quantile(0.5) ?? .nan }, "s")
        report.add("state age, p99", rounds.map { $0.ages.quantile(0.99) ?? .nan }, "s")
        report.add("longest state age", tally.ages.longest, "s")
        report.add("most pushes of an older state after a newer one", Double(sink.mostOlder), "")
        report.add("alerts for each card and alert", rounds.map { Double($0.alerts) / all }, "")
        report.add(
            "alerts that a newer one took the place of, or that were too old",
            Double(tally.alertsSuperseded + tally.alertsExpired), "")
        report.add("cards that were ended, of all", Double(ended) / all, "")
        report.add("from the end's accept until all were", endAge, "s")
        report.add("memory", rounds.map { Double($0.memory) / 1_000_000 }, "MB")
        return report
    }
}

extension AgeHistogram {
    /// Returns the ages recorded after another histogram. The longest age of all is the bound of both.
    func since(_ before: AgeHistogram) -> AgeHistogram {
        AgeHistogram(
            counts: counts.enumerated().map { $1 - ($0 < before.counts.count ? before.counts[$0] : 0) },
            longest: longest)
    }
}
