import APNSSender
import APNSSimulator
import APNSWire
import Crypto
import EyotCommands
import EyotContract
import EyotDomain
import EyotServer
import Foundation
import NIOPosix

/// A race of two hours with an update every 30 seconds, of which Apple never answers every fifth push: the others keep their age.
///
/// Sender and Apple's side are real, over TLS, and in this process; time runs faster than it does.
public struct Race: Sendable {
    /// Cards.
    public var replicas: Int
    /// Minutes of the race, in its own time.
    public var minutes: Double
    /// How many times as fast as the machine's its time runs.
    public var speed: Double
    /// Parts in which it is measured.
    public var rounds: Int

    private static let name = "race"
    private static let between = 30.0
    private static let shareOfStalls = 0.2
    private static let shareOfDead = 0.02
    /// Of each part so many updates go without stalls first: the limit beside it.
    private static let undisturbed = 4
    /// What the server has, in the race's time.
    private static let pageTimeout = 7.0
    /// As it passes: a busy machine has longer pauses between two answers than the race's time would have it.
    private static let leastPatience = Duration.milliseconds(50)

    /// - Parameters:
    ///   - replicas: cards, 1,000 or more.
    ///   - minutes: in the race's time.
    ///   - speed: 1 or more.
    ///   - rounds: 1 or more.
    public init(replicas: Int, minutes: Double, speed: Double, rounds: Int) {
        self.replicas = replicas
        self.minutes = minutes
        self.speed = speed
        self.rounds = rounds
    }

    private struct Round {
        var undisturbed: RaceTrack.Notes
        var race: RaceTrack.Notes
    }

    /// - Parameter progress: told what is going on.
    public func run(progress: @escaping @Sendable (String) -> Void) async throws -> BenchReport {
        let clock = FastClock(speed: speed)
        let bench = try await BenchStore(clock: clock)
        progress("filling a store with \(replicas) cards")
        try await bench.fill(Self.name, replicas: replicas)
        let dead = Int(Double(replicas) * Self.shareOfDead)
        let track = RaceTrack(replicas: replicas, dead: dead, clock: clock)
        let key = P256.Signing.PrivateKey()
        // Apple's side has a thread of its own, as it has machines of its own.
        let apple = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let simulator = try await simulator(key, track, clock, on: apple)
        let sender = try sender(to: simulator, clock)
        track.lead(into: SenderPusher(sender: sender))
        var rounds: [Round] = []
        let updates = Int(minutes * 60 / Self.between) / self.rounds
        try await bench.withEngine(pushing: track, key: key.pemRepresentation) {
            // Not measured: connections open, and dead tokens are found.
            try await race(updates: 2, stalls: 0, track, simulator, bench)
            for number in 1...self.rounds {
                let undisturbed = try await race(updates: Self.undisturbed, stalls: 0, track, simulator, bench)
                let raced = try await race(updates: updates, stalls: Self.shareOfStalls, track, simulator, bench)
                rounds.append(Round(undisturbed: undisturbed, race: raced))
                progress(
                    "round \(number) of \(self.rounds): p99 "
                        + "\(BenchReport.text(raced.healthy.quantile(0.99) ?? .nan)) s of the race's time")
            }
        }
        await sender.shutdown()
        await simulator.shutdown()
        try await apple.shutdownGracefully()
        try await bench.remove()
        return report(rounds, track, dead: dead)
    }

    /// Declares so many updates, one every 30 seconds of the race's time, and waits for the last one's.
    @discardableResult
    private func race(
        updates: Int, stalls: Double, _ track: RaceTrack, _ simulator: APNSSimulator, _ bench: BenchStore
    ) async throws -> RaceTrack.Notes {
        simulator.faults.clear()
        _ = track.take()
        var next = bench.clock.now
        for _ in 0..<updates {
            if stalls > 0 {
                let missing = max(0, replicas * 4 - simulator.faults.count)
                simulator.faults.enqueue(
                    (0..<min(missing, FaultScript.capacity)).map { _ in
                        Double.random(in: 0..<1) < stalls ? .stall : .none
                    })
            }
            let number = track.declare()
            try await bench.declare(
                DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
            next = next + Self.between
            try await bench.clock.nap(until: next, atMost: Self.between)
        }
        return track.take()
    }

    private func simulator(
        _ key: P256.Signing.PrivateKey, _ track: RaceTrack, _ clock: FastClock,
        on group: MultiThreadedEventLoopGroup
    ) async throws -> APNSSimulator {
        let team = APNSTeam(
            id: BenchStore.teamID, bundleIDs: [BenchStore.bundleID],
            keys: [APNSKey(id: BenchStore.keyID, publicKey: key.publicKey)])
        var configuration = APNSSimulatorConfiguration(teams: [team])
        configuration.now = { clock.now.date }
        configuration.limits.recordedRequests = 0
        return try await APNSSimulator.start(configuration, receiver: track, eventLoopGroup: group)
    }

    private func sender(to simulator: APNSSimulator, _ clock: FastClock) throws -> APNSSender {
        let authority = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-race-\(UUID()).pem").path
        try simulator.writeCertificateAuthority(to: authority)
        defer { try? FileManager.default.removeItem(atPath: authority) }
        var configuration = APNSSenderConfiguration()
        configuration.productionURL = simulator.productionURL
        configuration.trust = .authorities(pemFile: authority)
        configuration.pageTimeout = .seconds(Self.pageTimeout / speed)
        configuration.patience = max(configuration.patience / speed, Self.leastPatience)
        configuration.now = { clock.now.date }
        configuration.logger.logLevel = .error
        return try APNSSender(configuration)
    }

    private func report(_ rounds: [Round], _ track: RaceTrack, dead: Int) -> BenchReport {
        var report = BenchReport(name: "race", rounds: rounds.count)
        func add(_ name: String, _ ages: [AgeHistogram]) {
            for (words, share) in [("median", 0.5), ("p99", 0.99)] {
                let values = ages.map { $0.quantile(share) ?? .nan }
                report.add("\(name), \(words), in the race's time", values, "s")
                report.add("\(name), \(words), as it passed", values.map { $0 / speed }, "s")
            }
        }
        let hits = track.hitsOfDead
        report.add("replicas", Double(replicas), "")
        report.add("speed", speed, "")
        report.add("pushes without an answer", rounds.map { Double($0.race.stalls) }, "")
        add("state age without stalls", rounds.map(\.undisturbed.healthy))
        add("state age of healthy cards", rounds.map(\.race.healthy))
        add("state age of cards whose push stalled", rounds.map(\.race.stalled))
        report.add("most pushes of an older state after a newer one", rounds.map { Double($0.race.mostOlder) }, "")
        report.add("dead tokens that were found, of \(dead)", Double(hits.count), "")
        report.add("most pushes to a dead token", Double(hits.max() ?? 0), "")
        report.addPeakMemory()
        return report
    }
}
