import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// A race: a store with its cards, and their phones.
struct RaceCourse: Sendable {
    private static let name = "race"
    /// Seconds of the race's time between updates.
    static let between = 30.0
    /// The first updates of each part, without stalls: the limit beside it.
    private static let undisturbed = 4
    private static let shareOfStalls = 0.2
    private static let shareOfDead = 0.02
    /// The most real seconds until all cards are up to date after a part.
    private static let patience = 600.0

    /// A part, without stalls and with them.
    struct Part {
        var undisturbed: RaceTrack.Notes
        var race: RaceTrack.Notes
    }

    let track: RaceTrack
    let bench: BenchStore
    /// The number of cards with tokens that Apple no longer accepts.
    let dead: Int

    /// Makes a race with a store of its own.
    init(replicas: Int, clock: FastClock) async throws {
        dead = Int(Double(replicas) * Self.shareOfDead)
        track = RaceTrack(replicas: replicas, dead: dead, clock: clock)
        bench = try await BenchStore(clock: clock)
        try await bench.fill(Self.name, replicas: replicas)
    }

    /// Opens connections and finds dead tokens.
    func warmUp() async throws { try await race(updates: 2, stalls: 0) }

    /// Runs one part.
    ///
    /// - Parameter updates: the number of updates with stalls.
    func part(updates: Int) async throws -> Part {
        Part(
            undisturbed: try await race(updates: Self.undisturbed, stalls: 0),
            race: try await race(updates: updates, stalls: Self.shareOfStalls))
    }

    /// Declares updates, one every 30 seconds of the race's time, and waits for the last interval. Then all cards are
    /// brought up to date, so that parts do not affect each other.
    @discardableResult
    private func race(updates: Int, stalls: Double) async throws -> RaceTrack.Notes {
        _ = track.take()
        track.stall(stalls)
        var next = bench.clock.now
        for _ in 0..<updates {
            let number = track.declare()
            try await bench.declare(
                DeclarationRequest(verb: .update, name: Self.name, content: Content(state: ["n": .integer(number)])))
            next = next + Self.between
            try await bench.clock.nap(until: next, atMost: Self.between)
        }
        track.stall(0)
        let notes = track.take()
        try await bench.rest(
            of: Self.name, within: Self.patience, lookingEvery: .milliseconds(25), soon: Self.between)
        return notes
    }
}
