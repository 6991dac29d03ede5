import APNSSender
import EyotDomain
import EyotEngine
import EyotServer
import Foundation

/// A race of two hours with an update every 30 seconds. Apple never answers every fifth push, and the other cards must
/// keep their state age.
///
/// Sender and Apple's side are real, over TLS, and in this process. Time runs faster than in reality. So the same race
/// also runs, in turns, with a pusher that costs almost nothing. It shows the part of engine and store.
public struct Race: Sendable {
    /// The number of cards.
    public var replicas: Int
    /// The minutes of the race, in its own time.
    public var minutes: Double
    /// The factor by which its time is faster than the machine's.
    public var speed: Double
    /// The number of measured parts.
    public var rounds: Int

    /// The server's page timeout, in the race's time.
    static let pageTimeout = Duration.seconds(7)

    /// Makes a race.
    ///
    /// - Parameters:
    ///   - replicas: the number of cards, 1,000 or more.
    ///   - minutes: the length in the race's time.
    ///   - speed: 1 or more.
    ///   - rounds: 1 to ``updates(in:)``.
    public init(replicas: Int, minutes: Double, speed: Double, rounds: Int) {
        self.replicas = replicas
        self.minutes = minutes
        self.speed = speed
        self.rounds = rounds
    }

    /// Returns the number of updates in this many minutes of the race. Each part has at least one.
    public static func updates(in minutes: Double) -> Int { Int(minutes * 60 / RaceCourse.between) }

    /// A part with the sender and one without.
    private struct Round {
        var sent: RaceCourse.Part
        var alone: RaceCourse.Part
    }

    /// Runs the race.
    ///
    /// - Parameter progress: called with lines about the progress.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let clock = FastClock(speed: speed)
        progress("filling two stores with \(replicas) cards each")
        let sent = try await RaceCourse(replicas: replicas, clock: clock)
        let alone = try await RaceCourse(replicas: replicas, clock: clock)
        let apple = try await RaceApple.start(sent.track, clock)
        let sender = TrackedPusher(track: sent.track, sender: SenderPusher(sender: apple.sender))
        let sink = StallingSink(
            alone.track, patience: APNSSenderConfiguration().patience / speed, pageTimeout: Self.pageTimeout / speed)
        let updates = Self.updates(in: minutes) / self.rounds
        var rounds: [Round] = []
        try await sent.bench.withEngine(pushing: sender, key: apple.key.pemRepresentation) {
            try await alone.bench.withEngine(pushing: TrackedPusher(track: alone.track, sender: sink)) {
                // The warm-up is not measured.
                try await sent.warmUp()
                try await alone.warmUp()
                for number in 1...self.rounds {
                    let round = Round(
                        sent: try await sent.part(updates: updates), alone: try await alone.part(updates: updates))
                    rounds.append(round)
                    progress(
                        "round \(number) of \(self.rounds): p99 \(Self.worst(round.sent)) s of the race's time, "
                            + "\(Self.worst(round.alone)) s without the sender")
                }
            }
        }
        try await apple.shutdown()
        try await sent.bench.remove()
        try await alone.bench.remove()
        return report(rounds, sent, alone)
    }

    private static func worst(_ part: RaceCourse.Part) -> String {
        BenchReport.text(BenchReport.quantile(0.99, of: part.race.healthy))
    }

    private func report(_ rounds: [Round], _ sent: RaceCourse, _ alone: RaceCourse) -> BenchReport {
        var report = BenchReport(name: "race", rounds: rounds.count)
        report.add("replicas", Double(replicas), "")
        report.add("speed", speed, "")
        add(rounds.map(\.sent), of: sent, "", to: &report)
        add(rounds.map(\.alone), of: alone, ", without the sender", to: &report)
        report.addPeakMemory()
        return report
    }

    /// Adds the figures of a course.
    ///
    /// - Parameter how: the text after each name.
    private func add(_ parts: [RaceCourse.Part], of course: RaceCourse, _ how: String, to report: inout BenchReport) {
        func add(_ name: String, _ ages: [[Double]], p99 goal: BenchReport.Goal? = nil) {
            for (words, share) in [("median", 0.5), ("p99", 0.99)] {
                let values = ages.map { BenchReport.quantile(share, of: $0) }
                report.add(
                    "\(name)\(how), \(words), in the race's time", values, "s", goal: share == 0.99 ? goal : nil)
                report.add("\(name)\(how), \(words), as it passed", values.map { $0 / speed }, "s")
            }
        }
        let hits = course.track.hitsOfDead
        report.add("pushes without an answer\(how)", parts.map { Double($0.race.stalls) }, "")
        report.add(
            "more pushes without an answer, which were to have one\(how)", parts.map { Double($0.race.unplanned) }, "")
        report.add("cards that were behind at the end of a part\(how)", parts.map { Double($0.race.behind) }, "")
        add("state age without stalls", parts.map(\.undisturbed.healthy))
        add("state age of healthy cards", parts.map(\.race.healthy), p99: .atMost(5))
        add("state age of cards whose push stalled", parts.map(\.race.stalled))
        report.add(
            "most pushes of an older state after a newer one\(how)", parts.map { Double($0.race.mostOlder) }, "",
            goal: .atMost(Double(EngineCore.Limits().pushesPerApp)))
        report.add("dead tokens that were found, of \(course.dead)\(how)", Double(hits.count), "")
        report.add("most pushes to a dead token\(how)", Double(hits.max() ?? 0), "", goal: .atMost(1))
    }
}
