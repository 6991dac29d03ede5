import EyotCommands
import EyotContract
import EyotDomain
import Foundation

/// One race: a store with its cards, and their phones.
struct RaceCourse: Sendable {
    private static let name = "race"
    /// Seconds of the race's time from one update to the next.
    static let between = 30.0
    /// Of each part so many updates go without stalls first: the limit beside it.
    private static let undisturbed = 4
    private static let shareOfStalls = 0.2
    private static let shareOfDead = 0.02
    /// Seconds, as they pass, for everybody to be up to date after a part.
    private static let patience = 600.0

    /// One part, without stalls and with them.
    struct Part {
        var undisturbed: RaceTrack.Notes
        var race: RaceTrack.Notes
    }

    let track: RaceTrack
    let bench: BenchStore
    /// Cards whose tokens Apple does not take any more.
    let dead: Int

    /// A store of its own.
    init(replicas: Int, clock: FastClock) async throws {
        dead = Int(Double(replicas) * Self.shareOfDead)
        track = RaceTrack(replicas: replicas, dead: dead, clock: clock)
        bench = try await BenchStore(clock: clock)
        try await bench.fill(Self.name, replicas: replicas)
    }

    /// Connections open, and dead tokens are found.
    func warmUp() async throws { try await race(updates: 2, stalls: 0) }

    /// - Parameter updates: with stalls.
    func part(updates: Int) async throws -> Part {
        Part(
            undisturbed: try await race(updates: Self.undisturbed, stalls: 0),
            race: try await race(updates: updates, stalls: Self.shareOfStalls))
    }

    /// Declares so many updates, one every 30 seconds of the race's time, and waits for the last one's. Then everybody is brought up
    /// to date, so that the next part has nothing of this one.
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
