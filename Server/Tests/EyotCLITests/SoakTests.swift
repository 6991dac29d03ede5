import EyotBench
import EyotDomain
import EyotSQLite
import EyotSimulation
import Testing

@Suite struct `A soak` {
    @Test func `runs at least one seed for each core, and nothing breaks`() async throws {
        let outcome = try await Soak(firstSeed: 1, seconds: 0).run { _ in }
        #expect(outcome.seeds > 0)
        #expect(outcome.complaint == nil)
    }

    @Test func `ends where a rule breaks, and tells the story`() async throws {
        let outcome = try await Soak(firstSeed: 1, seconds: nil, planting: .endsForgotten).run { _ in }
        let complaint = try #require(outcome.complaint)
        #expect(complaint.contains("breaks rules; so does seed "))
        #expect(complaint.contains("!! R5"))
    }

    @Test func `begins again at the first seed after the last one`() async throws {
        let outcome = try await Soak(firstSeed: .max, seconds: 0).run { _ in }
        #expect(outcome.seeds > 0)
        #expect(outcome.complaint == nil)
    }

    /// Not a rule of ours that is broken, but something under it.
    private struct Broken: Error {}

    /// A store of which some transaction fails.
    private final class BrokenStore: SimulationStore {
        private let store: SQLiteDatabase
        private var left: Int

        init(after count: Int) throws { (store, left) = (try SQLiteDatabase(), count) }

        func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result { try store.read(body) }

        func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
            left -= 1
            guard left != 0 else { throw Broken() }
            return try store.write(body)
        }
    }

    @Test func `tells the seed and the smallest plan also where something is thrown that breaks no rule`() throws {
        let complaint = try #require(
            try Simulation.complaint(about: .any(seed: 7)) { try BrokenStore(after: 40) })
        #expect(complaint.contains("seed 7, 90 actions, 3 phones"))
        #expect(complaint.contains("throws Broken(); so does seed 7, "))
        #expect(complaint.hasSuffix("\n!! Broken()"))
        #expect(complaint.contains("1 phones"), "it is shrunk: \(complaint.prefix(300))")
    }
}
